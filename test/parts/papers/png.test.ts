import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPng } from '../../../src/parts/papers/pdf/png.ts'
import type { Dots } from '../../support/papers/png.ts'
import { pngOf, rawOf } from '../../support/papers/png.ts'
import { runs } from '../../support/run/runs.ts'

const forms = [
  ...[1, 2, 4, 8, 16].map((bits) => ({ color: 0, bits, channels: 1 }) as const),
  ...[8, 16].map((bits) => ({ color: 2, bits, channels: 3 }) as const),
  ...[1, 2, 4, 8].map((bits) => ({ color: 3, bits, channels: 1 }) as const),
  ...[8, 16].map((bits) => ({ color: 4, bits, channels: 2 }) as const),
  ...[8, 16].map((bits) => ({ color: 6, bits, channels: 4 }) as const),
]

/** Pictures of every form, with every filter, by rows or interlaced. */
const anyDots = fc
  .record({
    form: fc.constantFrom(...forms),
    width: fc.integer({ min: 1, max: 19 }),
    height: fc.integer({ min: 1, max: 19 }),
    interlaced: fc.boolean(),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 }),
    seed: fc.infiniteStream(fc.nat(0xffff)),
  })
  .map(({ form: { bits, channels, color }, seed, ...more }): Dots => {
    const next = (most: number) => Number(seed.next().value) % (most + 1)
    const samples = Array.from({ length: more.width * more.height }, () =>
      Array.from({ length: channels }, () => next(2 ** bits - 1)),
    )
    const many = (count: number) => Array.from({ length: count }, () => next(255))
    const palette = color === 3 ? { palette: many(3 * 2 ** bits), transparency: many(2) } : {}
    return { ...more, bits, color, samples, ...palette }
  })

/** The color of a dot on white, said once more and plainly. */
function seen({ bits, color, palette = [], transparency = [] }: Dots, dot: readonly number[]) {
  const [first = 0, second = 0] = dot
  const part = (value: number) => (value / (2 ** bits - 1)) * 255
  const on = (value: number, alpha: number) => Math.round(value * alpha + 255 * (1 - alpha))
  if (color === 3) {
    const alpha = (transparency[first] ?? 255) / 255
    return [0, 1, 2].map((of) => on(palette[3 * first + of] ?? 0, alpha))
  }
  if (color === 0 || color === 4) {
    const alpha = color === 4 ? part(second) / 255 : 1
    return [0, 1, 2].map(() => on(part(first), alpha))
  }
  const alpha = color === 6 ? part(dot[3] ?? 0) / 255 : 1
  return [0, 1, 2].map((of) => on(part(dot[of] ?? 0), alpha))
}

const small: Dots = { width: 2, height: 1, bits: 8, color: 0, samples: [[7], [250]] }

describe('a PNG', () => {
  it('is read in all its forms [invoices#logo]', () => {
    fc.assert(
      fc.property(anyDots, (dots) => {
        const read = readPng(pngOf(dots), 1_000)
        expect(read).toMatchObject({ width: dots.width, height: dots.height })
        const near = dots.samples.flatMap((dot) => seen(dots, dot))
        const far = [...(read?.rgb ?? [])].filter(
          (value, index) => Math.abs(value - (near[index] ?? -9)) > 1,
        )
        expect([read?.rgb.length, far]).toEqual([near.length, []])
      }),
      runs(300),
    )
  })

  it('may name a color that is transparent', () => {
    const read = readPng(pngOf({ ...small, transparency: [0, 250] }), 10)
    expect([...(read?.rgb ?? [])]).toEqual([7, 7, 7, 255, 255, 255])
  })

  it('is none where it is broken, or unpacks to more than its dots', () => {
    const raw = rawOf(small)
    const broken = [
      pngOf(small, Buffer.from('no zlib at all')),
      pngOf(small, deflateSync(raw).subarray(0, -4)),
      pngOf(small, deflateSync(raw.subarray(0, -1))),
      pngOf(small, deflateSync(Buffer.concat([raw, Buffer.alloc(5_000_000)]))),
      pngOf({ ...small, filters: [5] }),
      pngOf({ ...small, color: 3 }),
      pngOf({ ...small, bits: 3 }),
      pngOf({ ...small, color: 5 as 6 }),
      pngOf({ ...small, width: 60_000, height: 60_000 }, deflateSync(raw)),
    ]
    for (const bytes of broken) expect(readPng(bytes, 1_000_000)).toBeNull()
    expect(readPng(pngOf(small), 1)).toBeNull()
    expect(readPng(pngOf(small), 2)).not.toBeNull()
  })
})
