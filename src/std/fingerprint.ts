import assert from 'node:assert/strict'

/** The state of SipHash after one (business, mode), kept to be continued with event ids. */
interface FingerprintPrefix {
  readonly state: Int32Array
  /** How many bytes went in so far, because SipHash ends with the length. */
  readonly bytes: number
}

/**
 * The identity of an event: the three words of its fingerprint, then the word that chooses its
 * partition.
 */
export type Identity = readonly [hi: number, lo: number, rest: number, place: number]

export type Fingerprint = readonly [hi: number, lo: number, rest: number]

/** A fingerprint is 96 bits: 12 bytes where it is kept. */
export const fingerprintWords = 3
export const fingerprintBytes = 12

const identityWords = 4

export interface Fingerprinter {
  /** The fingerprints of `ids`, three words each: [hi0, lo0, rest0, hi1, …]. */
  fingerprints(businessId: string, mode: string, ids: readonly string[]): Uint32Array
  /** The same, each followed by its place, for `partitionOf`: four words each. */
  identities(businessId: string, mode: string, ids: readonly string[]): Uint32Array
  identity(businessId: string, mode: string, id: string): Identity
}

/**
 * Fingerprints of usage events: the keyed 96-bit hash of (business, mode, event id) that stands for
 * an event's identity. 32 more bits, which are not stored, choose the partition: two events are
 * taken for one only where 96 bits and the partition are the same (parts/dedupe/README.md has the
 * arithmetic). [machines#dedupe]
 *
 * SipHash-1-3 with 128 bits, over the length-prefixed business and mode, padded to whole blocks,
 * then the event id. The key is 16 secret bytes: without them no business can craft an id that
 * collides with another's, and so have the other's usage dropped as a repeat.
 */
export function createFingerprinter(key: Uint8Array): Fingerprinter {
  const initial = sipState(key)
  const prefixes = new Map<string, FingerprintPrefix>()
  const state = new Int32Array(8)
  return {
    fingerprints: (businessId, mode, ids) =>
      hashed(prefix(businessId, mode), ids, fingerprintWords),
    identities: (businessId, mode, ids) => hashed(prefix(businessId, mode), ids, identityWords),
    identity,
  }

  function identity(businessId: string, mode: string, id: string): Identity {
    const [hi = 0, lo = 0, rest = 0, place = 0] = hashed(
      prefix(businessId, mode),
      [id],
      identityWords,
    )
    return [hi, lo, rest, place]
  }

  /** The first `words` words of each. */
  function hashed(absorbed: FingerprintPrefix, ids: readonly string[], words: number): Uint32Array {
    // One identity's room more than needed: what the last one writes beyond is cut off.
    const out = new Uint32Array(ids.length * words + identityWords - words)
    let index = 0
    for (const id of ids) {
      hashInto(absorbed, id, out, index)
      index += words
    }
    return out.subarray(0, index)
  }

  function prefix(businessId: string, mode: string): FingerprintPrefix {
    const name = `${mode}:${businessId}`
    const cached = prefixes.get(name)
    if (cached !== undefined) return cached
    // Prefixes are cheap to make again, so all of them may be dropped at once.
    if (prefixes.size >= prefixesMax) prefixes.clear()
    const fields = prefixBytes(businessId, mode)
    const absorbed = { state: initial.slice(), bytes: fields.length }
    for (let at = 0; at < fields.length; at += 8) absorbBytes(absorbed.state, fields, at)
    prefixes.set(name, absorbed)
    return absorbed
  }

  function hashInto(
    { state: start, bytes }: FingerprintPrefix,
    id: string,
    out: Uint32Array,
    index: number,
  ): void {
    state.set(start)
    if (!absorbAscii(state, id, bytes)) {
      state.set(start)
      absorbTail(state, utf8(id), bytes)
    }
    finish(state, 3, out, index)
  }
}

const prefixesMax = 4_096

/** The partition of an event: the last word of its identity, modulo `partitions`. */
export function partitionOf(place: number, partitions: number): number {
  assert(partitions > 0 && partitions <= 65_536)
  return place % partitions
}

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
function sipState(key: Uint8Array): Int32Array {
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

/**
 * Length-prefixed, so that ('ab', 'c') and ('a', 'bc') differ; filled with zeros to a whole block.
 */
function prefixBytes(businessId: string, mode: string): Uint8Array {
  const fields = [utf8(businessId), utf8(mode)]
  const length = fields.reduce((sum, field) => sum + 4 + field.length, 0)
  const bytes = new Uint8Array(Math.ceil(length / 8) * 8)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    view.setUint32(at, field.length, true)
    bytes.set(field, at + 4)
    at += 4 + field.length
  }
  return bytes
}

/**
 * Absorbs an id of ASCII characters and the final block. Answers false, half-way, for any other id.
 */
function absorbAscii(state: Int32Array, id: string, before: number): boolean {
  const { length } = id
  const whole = length - (length & 7)
  let seen = 0
  for (let at = 0; at < whole; at += 8) {
    const a = id.charCodeAt(at)
    const b = id.charCodeAt(at + 1)
    const c = id.charCodeAt(at + 2)
    const d = id.charCodeAt(at + 3)
    const e = id.charCodeAt(at + 4)
    const f = id.charCodeAt(at + 5)
    const g = id.charCodeAt(at + 6)
    const h = id.charCodeAt(at + 7)
    seen |= a | b | c | d | e | f | g | h
    absorb(state, e | (f << 8) | (g << 16) | (h << 24), a | (b << 8) | (c << 16) | (d << 24), 1)
  }
  let hi = ((before + length) & 255) << 24
  let lo = 0
  for (let at = whole; at < length; at += 1) {
    const code = id.charCodeAt(at)
    seen |= code
    if ((at & 7) < 4) lo |= code << ((at & 3) << 3)
    else hi |= code << ((at & 3) << 3)
  }
  absorb(state, hi, lo, 1)
  return seen < 128
}

/** Absorbs `bytes` and the final block, which carries the length of everything absorbed. */
function absorbTail(state: Int32Array, bytes: Uint8Array, before: number, rounds = 1): void {
  const whole = bytes.length - (bytes.length & 7)
  for (let at = 0; at < whole; at += 8) absorbBytes(state, bytes, at, rounds)
  const last = new Uint8Array(8)
  last.set(bytes.subarray(whole))
  last[7] = (before + bytes.length) & 255
  absorbBytes(state, last, 0, rounds)
}

function absorbBytes(state: Int32Array, bytes: Uint8Array, at: number, rounds = 1): void {
  absorb(state, word(bytes, at + 4), word(bytes, at), rounds)
}

function absorb(v: Int32Array, hi: number, lo: number, rounds: number): void {
  v[6] = part(v, 6) ^ hi
  v[7] = part(v, 7) ^ lo
  for (let round = 0; round < rounds; round += 1) sipRound(v)
  v[0] = part(v, 0) ^ hi
  v[1] = part(v, 1) ^ lo
}

function finish(v: Int32Array, rounds: number, out: Uint32Array, index: number): void {
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

/**
 * UTF-8, except that an unpaired surrogate keeps three bytes of its own instead of becoming U+FFFD:
 * two ids that differ only there are two events, and every platform agrees.
 */
function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let end = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const extra = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
    const lead = [0, 0xc0, 0xe0, 0xf0][extra] ?? 0
    bytes[end] = lead | (code >>> (6 * extra))
    for (let rest = 1; rest <= extra; rest += 1) {
      bytes[end + rest] = 0x80 | ((code >>> (6 * (extra - rest))) & 63)
    }
    end += 1 + extra
  }
  return bytes.subarray(0, end)
}
