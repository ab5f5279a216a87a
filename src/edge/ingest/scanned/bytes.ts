// What the scanner knows of JSON's bytes. A position is the index of a byte; `unusual` in place of
// one says that the text is none that the scanner takes.

/** In place of a position: whatever stands here is for the parser. */
export const unusual = -1

export const signs = {
  quote: 34,
  comma: 44,
  minus: 45,
  point: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  openList: 91,
  backslash: 92,
  closeList: 93,
  openObject: 123,
  closeObject: 125,
} as const

/** The byte at a position; 0, which JSON never holds, behind the last one. */
export const byteAt = (bytes: Uint8Array, at: number): number =>
  at < bytes.length ? (bytes[at] as number) : 0

/** The first position from `from` on that is no blank. */
export function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (isBlank(byteAt(bytes, at))) at += 1
  return at
}

export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Where the value begins whose key ends before `from`. */
export function valueAfter(bytes: Uint8Array, from: number): number {
  const colon = afterBlanks(bytes, from)
  return byteAt(bytes, colon) === signs.colon ? afterBlanks(bytes, colon + 1) : unusual
}

/** Whether `word` stands at a position. */
export function standsAt(word: Uint8Array, bytes: Uint8Array, at: number): boolean {
  if (at + word.length > bytes.length) return false
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word[index]) return false
  }
  return true
}

/** The bytes of a word of ASCII. */
export const wordOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))

/** What a byte of a text is. 0: itself; 1: the closing quote; 2: a backslash; 3: it must not be. */
const kinds = new Uint8Array(256)
kinds.fill(3, 0, 0x20)
kinds[signs.quote] = 1
kinds[signs.backslash] = 2

/** The position of the closing quote of the text whose first byte is at `from`; no escapes. */
export function plainTextEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.length
  let at = from
  while (at < end && kinds[bytes[at] as number] === 0) at += 1
  return byteAt(bytes, at) === signs.quote ? at : unusual
}

/** What JSON.stringify escapes by one letter: `"`, `\`, and b, f, n, r, t. */
const oneLetter = new Uint8Array(256)
for (const letter of '"\\bfnrt') oneLetter[letter.charCodeAt(0)] = 1

/** The same, with the escapes that JSON.stringify would write just so. */
export function textEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.length
  let at = from
  for (;;) {
    while (at < end && kinds[bytes[at] as number] === 0) at += 1
    const byte = byteAt(bytes, at)
    if (byte === signs.quote) return at
    if (byte !== signs.backslash || oneLetter[byteAt(bytes, at + 1)] !== 1) return unusual
    at += 2
  }
}
