import { describe, expect, it } from 'vitest'
import { drawSheet } from '../../../src/parts/papers/pdf/draw-sheet.ts'
import { sheetOf } from '../../../src/rules/commerce/invoices/sheet-of.ts'
import { pictures } from '../../support/files/pictures.ts'
import { invoiceWith } from '../../support/papers/invoices.ts'
import { canReadPdf, dotsOf, infoOf, isWellFormed } from '../../support/papers/pdf-text.ts'
import { pngOf } from '../../support/papers/png.ts'

const drawn = (logo: Uint8Array | null, language = 'en') =>
  drawSheet({ sheet: sheetOf(invoiceWith({ language }), 'test'), logo })

/** A red one, of which the lower half is transparent. */
const red = (width: number, height: number) =>
  pngOf({
    width,
    height,
    bits: 8,
    color: 6,
    samples: Array.from({ length: width * height }, (_, index) => [
      ...[255, 0, 0],
      index < (width * height) / 2 ? 255 : 0,
    ]),
  })

describe('a logo', () => {
  it.skipIf(!canReadPdf)('stands above its seller, on white [invoices#logo]', async () => {
    const pdf = await drawn(red(300, 75))
    expect(isWellFormed(pdf)).toBe(true)
    expect(infoOf(pdf)).toMatch(/^Tagged: +yes$/m)
    const at = dotsOf(pdf)
    // 300 by 75 dots are 150 by 37.5 points, from the corner of the margins.
    expect([at(52, 52), at(198, 66)]).toEqual([scarlet, scarlet])
    expect([at(60, 75), at(60, 85), at(205, 60)]).toEqual([white, white, white])
    const arabic = dotsOf(await drawn(red(300, 75), 'ar'))
    expect([arabic(52, 52), arabic(540, 60)]).toEqual([white, scarlet])
  })

  it.skipIf(!canReadPdf)('may be small, large, narrow or a JPEG', async () => {
    for (const logo of [red(1, 1), red(3, 900), red(900, 3), pictures['image/jpeg']]) {
      const pdf = await drawn(logo)
      expect(isWellFormed(pdf)).toBe(true)
      expect(pdf.length).toBeLessThan((await drawn(null)).length + 5_000)
    }
    const large = await drawn(red(500, 300))
    expect(large.length).toBeLessThan((await drawn(null)).length + 5_000)
  })

  it('is the same bytes for the same image', async () => {
    const [one, another] = [await drawn(red(40, 40)), await drawn(red(40, 40))]
    expect(Buffer.from(one).equals(another)).toBe(true)
    expect(Buffer.from(one).equals(await drawn(red(41, 40)))).toBe(false)
  })

  it('is left out where a paper cannot show it', async () => {
    const without = Buffer.from(await drawn(null))
    const { 'image/jpeg': jpeg, 'image/png': png, 'image/webp': webp } = pictures
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]))
    const framed = (at: number, value: number) => {
      const other = Buffer.from(jpeg)
      other[frame + at] = value
      return other
    }
    const heavy = Buffer.concat([
      jpeg.subarray(0, 2),
      ...Array.from({ length: 4 }, () => Buffer.from([0xff, 0xfe, 0xff, 0xff, ...zeros])),
      jpeg.subarray(2),
    ])
    for (const [name, image] of Object.entries({
      webp,
      cut: png.subarray(0, -8),
      broken: Buffer.concat([png.subarray(0, 45), Buffer.alloc(4), png.subarray(49)]),
      arithmetic: framed(1, 0xc9),
      'of 12 bits': framed(4, 12),
      'in four inks': framed(9, 4),
      huge: hugeOf(framed(5, 0xff), frame),
      heavy,
      empty: Buffer.alloc(0),
      text: Buffer.from('no image'),
    })) {
      expect([name, without.equals(await drawn(image))]).toEqual([name, true])
    }
  })
})

const [scarlet, white] = ['255 0 0', '255 255 255']
const zeros = Array.from({ length: 65_533 }, () => 0)

function hugeOf(jpeg: Buffer, frame: number): Buffer {
  jpeg[frame + 7] = 0xff
  return jpeg
}
