/**
 * An IP address as its 128 bits. An IPv4 address is held as the IPv6 address that maps it
 * (::ffff:0:0/96), so that one machine has only one form for a check to look at.
 */
export type Address = bigint & { readonly [address]: true }
declare const address: unique symbol

/** All addresses that begin with the same `bits` bits (0 to 128) as `base`. */
export interface Network {
  readonly base: Address
  readonly bits: number
}

/** Reads a literal IPv4 or IPv6 address (a zone is ignored); null when it is none. */
export function parseAddress(text: string): Address | null {
  const four = parseFour(text)
  if (four !== null) return (mapped | four) as Address
  const bare = /^([^%]+)(?:%[\w.-]+)?$/.exec(text)?.[1] ?? ''
  return bare.includes(':') ? parseSix(bare) : null
}

const mapped = 0xffffn << 32n

export const isFour = (value: Address): boolean => value >> 32n === 0xffffn

/** Reads `address` or `address/prefix`; null when it is neither. */
export function parseNetwork(text: string): Network | null {
  const [literal = '', prefix, ...rest] = text.split('/')
  const base = parseAddress(literal)
  if (base === null || rest.length > 0) return null
  const whole = literal.includes(':') ? 128 : 32
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return null
  const length = prefix === undefined ? whole : Number(prefix)
  return length > whole ? null : { base, bits: length + 128 - whole }
}

export function contains(network: Network, value: Address): boolean {
  const shift = BigInt(128 - network.bits)
  return value >> shift === network.base >> shift
}

function parseFour(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0n
  for (const part of parts) {
    // With a leading zero some read octal and others decimal, so such a text is refused.
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseSix(text: string): Address | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = groupsOf(halves[0] ?? '')
  const tail = groupsOf(halves[1] ?? '')
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail]
  return groups.reduce((value, group) => (value << 16n) | group, 0n) as Address
}

/** The 16-bit groups on one side of `::`; a dotted quad at its end makes two of them. */
function groupsOf(text: string): readonly bigint[] | null {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 ? parseFour(part) : null
    if (four !== null) groups.push(four >> 16n, four & 0xffffn)
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}
