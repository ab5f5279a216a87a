/**
 * CRC-32C, sixteen bytes at a step, because this checksum is the largest part of the CPU of an
 * append. Eight bytes at a step are a third slower; the usual one byte at a step is eight times
 * slower.
 */
export function crc32c(bytes: Uint8Array, from: number, end: number): number {
  const aligned = Math.min(end, from + ((4 - ((bytes.byteOffset + from) & 3)) & 3))
  const crc = byBytes(bytes, -1, { from, end: aligned })
  const steps = littleEndian ? (end - aligned) >>> 4 : 0
  if (steps === 0) return ~byBytes(bytes, crc, { from: aligned, end })
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, steps * 4)
  return ~byBytes(bytes, byWords(words, crc), { from: aligned + steps * 16, end })
}

function byWords(words: Int32Array, before: number): number {
  let crc = before
  for (let at = 0; at < words.length; at += 4) {
    const a = crc ^ (words[at] as number)
    const [b, c, d] = [words[at + 1] as number, words[at + 2] as number, words[at + 3] as number]
    crc =
      (table[0xf00 | (a & 0xff)] as number) ^
      (table[0xe00 | ((a >>> 8) & 0xff)] as number) ^
      (table[0xd00 | ((a >>> 16) & 0xff)] as number) ^
      (table[0xc00 | (a >>> 24)] as number) ^
      (table[0xb00 | (b & 0xff)] as number) ^
      (table[0xa00 | ((b >>> 8) & 0xff)] as number) ^
      (table[0x900 | ((b >>> 16) & 0xff)] as number) ^
      (table[0x800 | (b >>> 24)] as number) ^
      (table[0x700 | (c & 0xff)] as number) ^
      (table[0x600 | ((c >>> 8) & 0xff)] as number) ^
      (table[0x500 | ((c >>> 16) & 0xff)] as number) ^
      (table[0x400 | (c >>> 24)] as number) ^
      (table[0x300 | (d & 0xff)] as number) ^
      (table[0x200 | ((d >>> 8) & 0xff)] as number) ^
      (table[0x100 | ((d >>> 16) & 0xff)] as number) ^
      (table[d >>> 24] as number)
  }
  return crc
}

interface Stretch {
  readonly from: number
  readonly end: number
}

function byBytes(bytes: Uint8Array, before: number, { from, end }: Stretch): number {
  let crc = before
  for (let at = from; at < end; at += 1) {
    crc = (table[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8)
  }
  return crc
}

/** Sixteen tables in a row: the polynomial's, then each the one before it shifted by a byte. */
const table = new Int32Array(16 * 256)
for (let byte = 0; byte < 256; byte += 1) {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  table[byte] = crc
}
for (let at = 256; at < table.length; at += 1) {
  const before = table[at - 256] as number
  table[at] = (table[before & 0xff] as number) ^ (before >>> 8)
}

/** Words are read in this machine's byte order; the tables above want the lowest byte first. */
const littleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1
