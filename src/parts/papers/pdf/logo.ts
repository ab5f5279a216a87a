import { limits } from '../../../limits.ts'
import { imageTypeOf } from '../../../rules/commerce/catalog/image.ts'
import type { Bitmap } from './png.ts'
import { readPng } from './png.ts'

/** A logo as a paper can show it. Sizes are in points. */
export interface Logo {
  readonly width: number
  readonly height: number
  readonly picture: Bitmap | { readonly jpeg: Uint8Array }
}

/** The room for it. */
const room = { width: 150, height: 44 } as const
/** Dots a point: as fine as paper is printed in an office. */
const fineness = 3

/**
 * The logo that an image is; null: none that a paper can show, which then does without. A PNG is
 * made as small as it is shown, a JPEG stays as it is. [invoices#logo]
 */
export function logoOf(image: Uint8Array): Logo | null {
  const type = imageTypeOf(image)
  if (type === 'image/png') {
    const bitmap = readPng(image, limits.logoDotsMax)
    if (bitmap === null) return null
    const size = shownAs(bitmap)
    return { ...size, picture: shrunk(bitmap, size) }
  }
  if (type !== 'image/jpeg' || image.length > limits.logoJpegBytesMax) return null
  const frame = jpegFrame(image)
  if (frame === null || frame.width * frame.height > limits.logoDotsMax) return null
  return { ...shownAs(frame), picture: { jpeg: image } }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** As large as there is room for; a dot is never larger than a point. */
function shownAs({ height, width }: Size): Size {
  const scale = Math.min(1, room.width / width, room.height / height)
  return { width: width * scale, height: height * scale }
}

/** Each dot is the mean of those that it stands for. */
function shrunk(bitmap: Bitmap, shown: Size): Bitmap {
  const width = Math.min(bitmap.width, Math.max(1, Math.ceil(shown.width * fineness)))
  const height = Math.min(bitmap.height, Math.max(1, Math.ceil(shown.height * fineness)))
  if (width === bitmap.width && height === bitmap.height) return bitmap
  const rgb = new Uint8Array(width * height * 3)
  const edge = (index: number, of: number, from: number) => Math.floor((index * from) / of)
  for (let y = 0; y < height; y += 1) {
    const rows = [edge(y, height, bitmap.height), edge(y + 1, height, bitmap.height)] as const
    for (let x = 0; x < width; x += 1) {
      const columns = [edge(x, width, bitmap.width), edge(x + 1, width, bitmap.width)] as const
      rgb.set(meanOf(bitmap, rows, columns), (y * width + x) * 3)
    }
  }
  return { width, height, rgb }
}

function meanOf(
  { rgb, width }: Bitmap,
  [top, bottom]: readonly [number, number],
  [left, right]: readonly [number, number],
): readonly number[] {
  const sum = [0, 0, 0]
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      for (let of = 0; of < 3; of += 1) {
        sum[of] = (sum[of] ?? 0) + (rgb[(y * width + x) * 3 + of] ?? 0)
      }
    }
  }
  return sum.map((each) => Math.round(each / ((bottom - top) * (right - left))))
}

/**
 * The frame of a JPEG that PDF has: 8 bits a sample, coded by Huffman, grey or in colors; null:
 * any other. Its segments stand one behind another, which the image's kind has proved.
 */
function jpegFrame(image: Uint8Array): Size | null {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength)
  for (let at = 2; at + 10 <= image.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (marker < 0xc0 || marker > 0xcf || [0xc4, 0xc8, 0xcc].includes(marker)) continue
    const components = view.getUint8(at + 9)
    if (marker > 0xc2 || view.getUint8(at + 4) !== 8 || ![1, 3].includes(components)) return null
    return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
  }
  return null
}
