import { deflateSync } from 'node:zlib'

/** A picture as its samples, a dot after another. */
export interface Dots {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly color: 0 | 2 | 3 | 4 | 6
  readonly samples: readonly (readonly number[])[]
  readonly palette?: readonly number[]
  readonly transparency?: readonly number[]
  readonly interlaced?: boolean
  /** Of each row in turn. */
  readonly filters?: readonly number[]
}

/** A PNG file of dots; its checksums are 0, at which nobody looks. */
export const pngOf = (dots: Dots, data = deflateSync(rawOf(dots))): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', headerOf(dots)),
    ...(dots.palette === undefined ? [] : [chunk('PLTE', Buffer.from(dots.palette))]),
    ...(dots.transparency === undefined ? [] : [chunk('tRNS', Buffer.from(dots.transparency))]),
    chunk('IDAT', data.subarray(0, 7)),
    chunk('IDAT', data.subarray(7)),
    chunk('IEND', Buffer.alloc(0)),
  ])

function headerOf({ bits, color, height, interlaced = false, width }: Dots): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, color, 0, 0, interlaced ? 1 : 0], 8)
  return header
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, named, Buffer.alloc(4)])
}

/** The rows as they are packed, each behind its filter. */
export function rawOf(dots: Dots): Buffer {
  const { filters = [0], height, interlaced = false, width } = dots
  // Where in each square of eight by eight a dot belongs: the picture of the standard.
  const adam = ['16462646', '77777777', '56565656', '77777777']
  const square = [...adam, '36463646', '77777777', '56565656', '77777777']
  const passOf = (x: number, y: number) => (interlaced ? Number(square[y % 8]?.[x % 8]) : 1)
  const rows: Buffer[] = []
  for (let pass = 1; pass <= 7; pass += 1) {
    let above: Uint8Array | null = null
    for (let y = 0; y < height; y += 1) {
      const columns = Array.from({ length: width }, (_, x) => x).filter(
        (x) => passOf(x, y) === pass,
      )
      if (columns.length === 0) continue
      const line = packed(
        dots,
        columns.flatMap((x) => dots.samples[y * width + x] ?? []),
      )
      rows.push(filtered(dots, line, { above, filter: filters[rows.length % filters.length] ?? 0 }))
      above = line
    }
  }
  return Buffer.concat(rows)
}

function packed({ bits }: Dots, samples: readonly number[]): Uint8Array {
  const text = samples.map((each) => each.toString(2).padStart(bits, '0')).join('')
  const bytes = text.match(/.{1,8}/g) ?? []
  return Uint8Array.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}

const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const

function filtered(
  { bits, color }: Dots,
  line: Uint8Array,
  { above, filter }: { readonly above: Uint8Array | null; readonly filter: number },
): Buffer {
  const back = Math.max(1, (bits * channels[color]) / 8)
  const bytes = line.map((value, at) => {
    const left = line[at - back] ?? 0
    const up = above?.[at] ?? 0
    const corner = above?.[at - back] ?? 0
    const near = [left, up, corner].map((each) => Math.abs(left + up - corner - each))
    const paeth = [left, up, corner][near.indexOf(Math.min(...near))] ?? 0
    return value - ([0, left, up, Math.floor((left + up) / 2), paeth][filter] ?? 0)
  })
  return Buffer.from([filter, ...bytes])
}
