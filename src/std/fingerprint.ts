import assert from 'node:assert/strict'
import { absorb, absorbBytes, absorbTail, finish, sipState } from './siphash.ts'

/** The state of SipHash after one (business, mode), kept to be continued with event ids. */
export interface FingerprintPrefix {
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
  /** What the identities of all events of one owner begin with. */
  prefixOf(owner: EventOwner): FingerprintPrefix
  identity(businessId: string, mode: string, id: string): Identity
}

export interface EventOwner {
  readonly businessId: string
  readonly mode: string
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
    prefixOf: ({ businessId, mode }) => prefix(businessId, mode),
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
