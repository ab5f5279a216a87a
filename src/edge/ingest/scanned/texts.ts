/** Texts by their bytes, so that one that comes again and again is decoded once. */
export interface RememberedTexts {
  /** The UTF-8 from a byte on, up to another one. */
  read(bytes: Buffer, from: number, end: number): string
}

interface Remembered {
  readonly bytes: Uint8Array
  readonly text: string
}

/** A place a hash: two texts of one hash take turns. `places` is a power of two. */
export function rememberedTexts(places: number): RememberedTexts {
  const all = new Array<Remembered | null>(places).fill(null)
  return { read }

  function read(bytes: Buffer, from: number, end: number): string {
    let hash = 0
    for (let at = from; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0
    const place = (hash ^ (hash >>> 15)) & (places - 1)
    const found = all[place] ?? null
    if (found !== null && found.bytes.length === end - from && standsAt(found.bytes, bytes, from))
      return found.text
    const text = bytes.toString('utf8', from, end)
    all[place] = { bytes: Uint8Array.from(bytes.subarray(from, end)), text }
    return text
  }
}

function standsAt(word: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word[index]) return false
  }
  return true
}
