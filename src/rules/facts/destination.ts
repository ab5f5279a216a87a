import type { Address, Network } from '../../std/address.ts'
import { contains, isFour, parseAddress, parseNetwork } from '../../std/address.ts'
import type { Mode } from '../meter/meter.ts'

/**
 * Where webhooks may go: a server that posts to any address that it is told must not be tricked
 * into posting inside its own network.
 */
export interface Destinations {
  /**
   * What is wrong with a URL, as far as that can be told before its name is resolved: a sentence,
   * or null. A name may still resolve to a forbidden address, so `allows` is asked again for every
   * connection.
   */
  problemOf(url: string, mode: Mode): string | null

  /**
   * Whether an endpoint of `mode` may be reached at `address`, to which `host` resolved.
   * [webhooks#attempts]
   */
  allows(mode: Mode, host: string, address: string): boolean

  /** Whether the operator listed this host by name. */
  lists(host: string): boolean
}

/**
 * Both modes reach public addresses, and what the operator lists: host names, addresses and
 * networks. Test mode also reaches this machine, if only this machine can reach us: `serving` is
 * the address that we listen on. Otherwise strangers could look for open ports. [webhooks#attempts]
 *
 * @throws Error naming an entry that is none of the three.
 */
export function destinations(allowPrivate: readonly string[], serving: string): Destinations {
  const local = isLoopback(serving)
  const networks: Network[] = []
  const hosts = new Set<string>()
  for (const entry of allowPrivate) {
    const network = parseNetwork(entry)
    if (network !== null) networks.push(network)
    else if (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(entry)) hosts.add(entry.toLowerCase())
    else throw new Error(`'${entry}' is neither a host name nor an address nor a network.`)
  }
  return { problemOf, allows, lists }

  function problemOf(url: string, mode: Mode): string | null {
    const parsed = URL.canParse(url) ? new URL(url) : null
    if (parsed === null) return 'url must be an absolute URL such as https://example.com/hooks.'
    if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
      return 'url must begin with https:// or http://.'
    }
    if (parsed.username !== '' || parsed.password !== '') {
      return 'url must not hold a user name or password; send them as a header instead.'
    }
    const host = hostOf(parsed)
    const literal = isLocalName(host) ? '127.0.0.1' : host
    if (parseAddress(literal) === null || allows(mode, host, literal)) return null
    if (mode === 'live') return 'url must lead to a public address in live mode.'
    return local
      ? 'url must lead to a public or loopback address.'
      : 'url must lead to a public address: this server is not for its own machine alone.'
  }

  function allows(mode: Mode, host: string, address: string): boolean {
    const parsed = parseAddress(address)
    if (parsed === null) return false
    if (isPublic(parsed) || lists(host)) return true
    if (networks.some((network) => contains(network, parsed))) return true
    return mode === 'test' && local && isLoopbackAddress(parsed)
  }

  function lists(host: string): boolean {
    return hosts.has(host)
  }
}

/** The host that a URL names: in lower case, without brackets or a final dot. */
export function hostOf(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

/** Whether a host or address leads to this machine, whatever a name server says. */
function isLoopback(host: string): boolean {
  const address = parseAddress(host)
  return address === null ? isLocalName(host.toLowerCase()) : isLoopbackAddress(address)
}

const isLoopbackAddress = (address: Address): boolean =>
  loopback.some((network) => contains(network, address))

/** Names that always mean this machine, whatever a name server says. [RFC 6761] */
export const isLocalName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost')

function isPublic(address: Address): boolean {
  if (!isFour(address) && !globalSix.some((network) => contains(network, address))) return false
  return !special.some((network) => contains(network, address))
}

const networksOf = (text: string): readonly Network[] =>
  text
    .trim()
    .split(/\s+/)
    .flatMap((entry) => parseNetwork(entry) ?? [])

const loopback = networksOf('127.0.0.0/8 ::1')

// Only global unicast. All other addresses of IPv6, NAT64 and unspecified ones included, lead
// inside or nowhere.
const globalSix = networksOf('2000::/3')

// The registries of special purposes (RFC 6890 and later). 6to4 and Teredo are in it, since they
// carry an IPv4 address inside.
const special = networksOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20
`)
