import assert from 'node:assert/strict'

// SipHash with 128 bits, on 32-bit halves. [std/fingerprint.ts says what for]

/**
 * SipHash-c-d of whole bytes with 128 bits, words in the published order: [lo, hi, lo, hi]. The
 * fingerprinter is built from its pieces; this function lets published test vectors check them.
 */
export function sipHash128(
  key: Uint8Array,
  bytes: Uint8Array,
  rounds: { readonly c: number; readonly d: number },
): Uint32Array {
  const state = sipState(key)
  absorbTail(state, bytes, 0, rounds.c)
  const out = new Uint32Array(4)
  finish(state, rounds.d, out, 0)
  const [hi = 0, lo = 0, more = 0, last = 0] = out
  return Uint32Array.of(lo, hi, last, more)
}

/** v0 … v3 as pairs of signed words: [v0 hi, v0 lo, v1 hi, …]. */
export function sipState(key: Uint8Array): Int32Array {
  assert(key.length === 16, 'A fingerprint key is 16 bytes.')
  const [k0l, k0h, k1l, k1h] = [word(key, 0), word(key, 4), word(key, 8), word(key, 12)]
  return Int32Array.of(
    k0h ^ 0x736f6d65,
    k0l ^ 0x70736575,
    k1h ^ 0x646f7261,
    // The constant that SipHash with 128 bits adds.
    k1l ^ 0x6e646f6d ^ 0xee,
    k0h ^ 0x6c796765,
    k0l ^ 0x6e657261,
    k1h ^ 0x74656462,
    k1l ^ 0x79746573,
  )
}

/** Absorbs `bytes` and the final block, which carries the length of everything absorbed. */
export function absorbTail(state: Int32Array, bytes: Uint8Array, before: number, rounds = 1): void {
  const whole = bytes.length - (bytes.length & 7)
  for (let at = 0; at < whole; at += 8) absorbBytes(state, bytes, at, rounds)
  const last = new Uint8Array(8)
  last.set(bytes.subarray(whole))
  last[7] = (before + bytes.length) & 255
  absorbBytes(state, last, 0, rounds)
}

export function absorbBytes(state: Int32Array, bytes: Uint8Array, at: number, rounds = 1): void {
  absorb(state, word(bytes, at + 4), word(bytes, at), rounds)
}

export function absorb(v: Int32Array, hi: number, lo: number, rounds: number): void {
  v[6] = part(v, 6) ^ hi
  v[7] = part(v, 7) ^ lo
  for (let round = 0; round < rounds; round += 1) sipRound(v)
  v[0] = part(v, 0) ^ hi
  v[1] = part(v, 1) ^ lo
}

export function finish(v: Int32Array, rounds: number, out: Uint32Array, index: number): void {
  v[5] = part(v, 5) ^ 0xee
  for (let round = 0; round < rounds; round += 1) sipRound(v)
  out[index] = part(v, 0) ^ part(v, 2) ^ part(v, 4) ^ part(v, 6)
  out[index + 1] = part(v, 1) ^ part(v, 3) ^ part(v, 5) ^ part(v, 7)
  v[3] = part(v, 3) ^ 0xdd
  for (let round = 0; round < rounds; round += 1) sipRound(v)
  out[index + 2] = part(v, 0) ^ part(v, 2) ^ part(v, 4) ^ part(v, 6)
  out[index + 3] = part(v, 1) ^ part(v, 3) ^ part(v, 5) ^ part(v, 7)
}

/** One round on 32-bit halves: there was a carry where a sum came out below one of its terms. */
function sipRound(v: Int32Array): void {
  let h0 = part(v, 0)
  let l0 = part(v, 1)
  let h1 = part(v, 2)
  let l1 = part(v, 3)
  let h2 = part(v, 4)
  let l2 = part(v, 5)
  let h3 = part(v, 6)
  let l3 = part(v, 7)
  let sum = (l0 + l1) | 0
  h0 = (h0 + h1 + (sum >>> 0 < l0 >>> 0 ? 1 : 0)) | 0
  l0 = sum
  let turned = (h1 << 13) | (l1 >>> 19)
  l1 = ((l1 << 13) | (h1 >>> 19)) ^ l0
  h1 = turned ^ h0
  turned = h0
  h0 = l0
  l0 = turned
  sum = (l2 + l3) | 0
  h2 = (h2 + h3 + (sum >>> 0 < l2 >>> 0 ? 1 : 0)) | 0
  l2 = sum
  turned = (h3 << 16) | (l3 >>> 16)
  l3 = ((l3 << 16) | (h3 >>> 16)) ^ l2
  h3 = turned ^ h2
  sum = (l0 + l3) | 0
  h0 = (h0 + h3 + (sum >>> 0 < l0 >>> 0 ? 1 : 0)) | 0
  l0 = sum
  turned = (h3 << 21) | (l3 >>> 11)
  l3 = ((l3 << 21) | (h3 >>> 11)) ^ l0
  h3 = turned ^ h0
  sum = (l2 + l1) | 0
  h2 = (h2 + h1 + (sum >>> 0 < l2 >>> 0 ? 1 : 0)) | 0
  l2 = sum
  turned = (h1 << 17) | (l1 >>> 15)
  l1 = ((l1 << 17) | (h1 >>> 15)) ^ l2
  h1 = turned ^ h2
  v[0] = h0
  v[1] = l0
  v[2] = h1
  v[3] = l1
  v[4] = l2
  v[5] = h2
  v[6] = h3
  v[7] = l3
}

const part = (v: Int32Array, index: number): number => v[index] ?? 0

function word(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0] = [bytes[at], bytes[at + 1]]
  const [c = 0, d = 0] = [bytes[at + 2], bytes[at + 3]]
  return a | (b << 8) | (c << 16) | (d << 24)
}
