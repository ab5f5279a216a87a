export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** What can carry an image. */
export const imageOwners = ['product', 'brand', 'addon', 'collection'] as const
export type ImageOwner = (typeof imageOwners)[number]

/**
 * What kind of image the bytes are, whatever they were called; null: none that is taken. Each form
 * is looked at from its beginning to its end, so that nothing is served as an image that begins
 * like one and goes on as something else. [resources#images]
 */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (isPng(bytes)) return 'image/png'
  if (isJpeg(bytes)) return 'image/jpeg'
  return isWebp(bytes) ? 'image/webp' : null
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Chunk after chunk, the first of them IHDR, the last one IEND, and nothing behind it. */
function isPng(bytes: Uint8Array): boolean {
  if (bytes.length < 33 || !beginsWith(bytes, pngSignature, 0)) return false
  const view = viewOf(bytes)
  let at = pngSignature.length
  for (let number = 0; at + 12 <= bytes.length; number += 1) {
    const length = view.getUint32(at)
    const type = textAt(bytes, at + 4, 4)
    if (number === 0 && (type !== 'IHDR' || length !== 13)) return false
    if (number === 0 && !hasArea(view.getUint32(at + 8), view.getUint32(at + 12))) return false
    at += 12 + length
    if (type === 'IEND') return at === bytes.length
  }
  return false
}

/** Segment after segment up to the picture's data, and its end at the very end. */
function isJpeg(bytes: Uint8Array): boolean {
  const { length } = bytes
  if (!beginsWith(bytes, [0xff, 0xd8, 0xff], 0)) return false
  if (bytes[length - 2] !== 0xff || bytes[length - 1] !== 0xd9) return false
  const view = viewOf(bytes)
  let framed = false
  for (let at = 2; at + 4 <= length; at += 2 + view.getUint16(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || view.getUint16(at + 2) < 2) return false
    if (marker === 0xda) return framed
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (at + 9 > length) return false
      framed = hasArea(view.getUint16(at + 7), view.getUint16(at + 5))
    }
  }
  return false
}

/** A RIFF of exactly these bytes, whose first chunk is one of WebP's three. */
function isWebp(bytes: Uint8Array): boolean {
  if (bytes.length < 20 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') {
    return false
  }
  const said = viewOf(bytes).getUint32(4, true)
  if (said + 8 !== bytes.length) return false
  return ['VP8 ', 'VP8L', 'VP8X'].includes(textAt(bytes, 12, 4))
}

const hasArea = (width: number, height: number): boolean => width > 0 && height > 0

const beginsWith = (bytes: Uint8Array, what: readonly number[], at: number): boolean =>
  what.every((byte, index) => bytes[at + index] === byte)

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))
