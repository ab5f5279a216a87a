/**
 * CRC-32C, eight bytes a step: most of what an append costs us is this sum, and a table of 256
 * entries taken byte by byte is three times as slow.
 */
export function crc32c(bytes: Uint8Array, from: number, end: number): number {
  let crc = -1
  let at = from
  for (const last = end - 7; at < last; at += 8) {
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24))
    crc =
      (t7[low & 0xff] as number) ^
      (t6[(low >>> 8) & 0xff] as number) ^
      (t5[(low >>> 16) & 0xff] as number) ^
      (t4[low >>> 24] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number)
  }
  for (; at < end; at += 1) {
    crc = (t0[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8)
  }
  return ~crc
}

/** The first table is the polynomial's; each other one shifts its predecessor by a byte. */
function tables(): Int32Array[] {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    first[byte] = crc
  }
  const all = [first]
  for (let step = 1; step < 8; step += 1) {
    const before = all[step - 1] as Int32Array
    all.push(before.map((crc) => (first[crc & 0xff] as number) ^ (crc >>> 8)))
  }
  return all
}

const [t0, t1, t2, t3, t4, t5, t6, t7] = tables() as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
]
