import { inflateSync } from 'node:zlib'
import type { PngForm } from './png-rows.ts'
import { crossed } from './png-rows.ts'

/** A picture without transparency: three bytes a dot, row after row from above. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

interface Png extends PngForm {
  readonly color: ColorType
  readonly palette: Uint8Array
  readonly transparency: Uint8Array
  readonly data: Uint8Array
}

type ColorType = 0 | 2 | 3 | 4 | 6

/** What each color type may be: https://www.w3.org/TR/png-3/#11IHDR. */
const colorTypes: Readonly<Record<ColorType, { bits: readonly number[]; channels: number }>> = {
  0: { bits: [1, 2, 4, 8, 16], channels: 1 },
  2: { bits: [8, 16], channels: 3 },
  3: { bits: [1, 2, 4, 8], channels: 1 },
  4: { bits: [8, 16], channels: 2 },
  6: { bits: [8, 16], channels: 4 },
}

/**
 * The picture on white paper; null: it is broken, or has more than `dotsMax` dots. Bytes that
 * promise a picture and hold another amount of data are broken, so nothing unpacks to more than
 * its dots need.
 */
export function readPng(bytes: Uint8Array, dotsMax: number): Bitmap | null {
  const png = pngIn(bytes)
  if (png === null || png.width * png.height > dotsMax) return null
  const { height, width } = png
  const rgb = new Uint8Array(width * height * 3)
  const paint = painting(png)
  try {
    const isWhole = crossed(png, inflated(png), (x, y, samples) => {
      paint(samples, rgb, (y * width + x) * 3)
    })
    return isWhole ? { width, height, rgb } : null
  } catch {
    return null
  }
}

const inflated =
  ({ data }: Png) =>
  (length: number): Uint8Array =>
    inflateSync(data, { maxOutputLength: length })

/** Its chunks, one after another; null: they are not as they must be. */
function pngIn(bytes: Uint8Array): Png | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = new Map<string, Uint8Array[]>()
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const chunk = bytes.subarray(at + 8, at + 8 + length)
    chunks.set(type, [...(type === 'IDAT' ? (chunks.get(type) ?? []) : []), chunk])
    at += 12 + length
  }
  const [header] = chunks.get('IHDR') ?? []
  if (header === undefined || header.length !== 13) return null
  const [bits = 0, color = 1, compression, filter, interlace = 2] = header.subarray(8)
  const form = Object.hasOwn(colorTypes, color) ? colorTypes[color as ColorType] : undefined
  if (form === undefined || !form.bits.includes(bits)) return null
  if (compression !== 0 || filter !== 0 || interlace > 1) return null
  const sizes = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const [palette = new Uint8Array()] = chunks.get('PLTE') ?? []
  if (color === 3 && palette.length < 3) return null
  return {
    width: sizes.getUint32(0),
    height: sizes.getUint32(4),
    bits,
    color: color as ColorType,
    channels: form.channels,
    isInterlaced: interlace === 1,
    palette,
    transparency: chunks.get('tRNS')?.[0] ?? new Uint8Array(),
    data: Buffer.concat(chunks.get('IDAT') ?? []),
  }
}

type Paint = (samples: readonly number[], rgb: Uint8Array, at: number) => void

/** Says how samples of a dot become its color on white. */
function painting({ bits, color, palette, transparency }: Png): Paint {
  const most = 2 ** bits - 1
  const onWhite = (value: number, alpha: number): number => 255 - (255 - value) * alpha
  const key = Array.from({ length: transparency.length >> 1 }, (_, index) => {
    return ((transparency[2 * index] ?? 0) << 8) | (transparency[2 * index + 1] ?? 0)
  })
  if (color === 3) {
    return ([index = 0], rgb, at) => {
      const alpha = (transparency[index] ?? 255) / 255
      for (let of = 0; of < 3; of += 1) {
        rgb[at + of] = Math.round(onWhite(palette[3 * index + of] ?? 0, alpha))
      }
    }
  }
  const colors = color === 2 || color === 6 ? 3 : 1
  const hasAlpha = color === 4 || color === 6
  return (samples, rgb, at) => {
    const isKey = key.length === colors && key.every((each, index) => samples[index] === each)
    const alpha = hasAlpha ? (samples[colors] ?? 0) / most : isKey ? 0 : 1
    for (let of = 0; of < 3; of += 1) {
      const value = samples[colors === 1 ? 0 : of] ?? 0
      rgb[at + of] = Math.round(onWhite((value / most) * 255, alpha))
    }
  }
}
