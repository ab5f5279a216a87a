/**
 * Which characters a font file has, by its `cmap`: packages name the stretches of Unicode that
 * their fonts are for, and not every character of those is in the font. Reads the two forms of
 * table that cut fonts have: 4 (16 bits) and 12 (32 bits).
 */
export function coverageOf(font: Uint8Array): ReadonlySet<number> {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const found = new Set<number>()
  const cmap = tableAt(view, 'cmap')
  if (cmap === null) return found
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const table = cmap + view.getUint32(cmap + 8 + 8 * index)
    const format = view.getUint16(table)
    if (format === 4) readFormat4(view, table, found)
    if (format === 12) readFormat12(view, table, found)
  }
  return found
}

function tableAt(view: DataView, tag: string): number | null {
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const entry = 12 + 16 * index
    const name = [0, 1, 2, 3].map((at) => String.fromCharCode(view.getUint8(entry + at))).join('')
    if (name === tag) return view.getUint32(entry + 8)
  }
  return null
}

/** Segments of characters; those that lead to glyph 0 are not there. */
function readFormat4(view: DataView, table: number, found: Set<number>): void {
  const segments = view.getUint16(table + 6) / 2
  const [ends, starts] = [table + 14, table + 16 + 2 * segments]
  const [deltas, offsets] = [starts + 2 * segments, starts + 4 * segments]
  for (let index = 0; index < segments; index += 1) {
    const [start, end] = [view.getUint16(starts + 2 * index), view.getUint16(ends + 2 * index)]
    const [delta, offset] = [
      view.getUint16(deltas + 2 * index),
      view.getUint16(offsets + 2 * index),
    ]
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const at = offsets + 2 * index + offset + 2 * (code - start)
      const glyph = offset === 0 ? (code + delta) & 0xffff : view.getUint16(at)
      if (glyph !== 0) found.add(code)
    }
  }
}

function readFormat12(view: DataView, table: number, found: Set<number>): void {
  for (let index = 0; index < view.getUint32(table + 12); index += 1) {
    const group = table + 16 + 12 * index
    const end = view.getUint32(group + 4)
    for (let code = view.getUint32(group); code <= end; code += 1) found.add(code)
  }
}
