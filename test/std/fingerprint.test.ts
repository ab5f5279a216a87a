import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFingerprinter, partitionOf, sipHash } from '../../src/std/fingerprint.ts'

const key = Uint8Array.from({ length: 16 }, (_, index) => index)
const anyId = fc.oneof(
  fc.uuid(),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }).map((codes) => {
    return String.fromCharCode(...codes)
  }),
)

describe('SipHash', () => {
  it('gives the published vectors of SipHash-2-4 for the key 00 … 0f', () => {
    const published = [
      [0, 0x726fdb47dd0e0e31n],
      [1, 0x74f839c593dc67fdn],
      [2, 0x0d6c8009d9a94f5an],
      [7, 0xab0200f58b01d137n],
      [8, 0x93f5f5799a932462n],
      [15, 0xa129ca6149be45e5n],
      [63, 0x958a324ceb064572n],
    ] as const
    for (const [length, expected] of published) {
      expect(joined(sipHash(key, counting(length), { c: 2, d: 4 }))).toBe(expected)
      expect(referenceSip(key, counting(length), 2, 4)).toBe(expected)
    }
  })

  it('gives the known values of SipHash-1-3 for the key 00 … 0f', () => {
    const known = [0xabac0158050fc4dcn, 0xc9f49bf37d57ca93n, 0x82cb9b024dc7d44dn]
    known.forEach((expected, length) => {
      expect(joined(sipHash(key, counting(length), { c: 1, d: 3 }))).toBe(expected)
    })
  })

  it('agrees with a slow model in whole 64-bit numbers', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.uint8Array({ maxLength: 100 }),
        (anyKey, bytes) => {
          const expected = referenceSip(anyKey, bytes, 1, 3)
          expect(joined(sipHash(anyKey, bytes, { c: 1, d: 3 }))).toBe(expected)
        },
      ),
    )
  })
})

describe('fingerprints', () => {
  const fingerprinter = createFingerprinter(key)

  it('are SipHash-1-3 of length-prefixed business and mode, padded, and the id', () => {
    fc.assert(
      fc.property(
        anyId,
        fc.constantFrom('test', 'live'),
        fc.array(anyId),
        (business, mode, ids) => {
          const got = fingerprinter.fingerprints(business, mode, ids)
          ids.forEach((id, index) => {
            const pair = got.subarray(index * 2, index * 2 + 2)
            expect(joined(pair)).toBe(reference(business, mode, id))
          })
        },
      ),
    )
  })

  it('read every code that hides in the bits of its neighbours as what it is', () => {
    for (const id of ['\u0141bcdefgh', 'aaaaaaa\u0100', 'é', '\u0080', 'abcdefgh\u0100']) {
      const got = fingerprinter.fingerprints('bus_1', 'test', [id])
      expect(joined(got)).toBe(reference('bus_1', 'test', id))
    }
  })

  it('tell ids with different unpaired surrogates apart, the same way every time', () => {
    const ids = ['a\ud800', 'a\ud801', 'a\ufffd', 'a\udc00', '\ud800', '\u{1f600}']
    const got = fingerprinter.fingerprints('bus_1', 'test', ids)
    const pairs = ids.map((_, index) => joined(got.subarray(index * 2, index * 2 + 2)))
    expect(new Set(pairs).size).toBe(ids.length)
    expect(createFingerprinter(key).fingerprints('bus_1', 'test', ids)).toEqual(got)
  })

  it('differ by business, by mode and by key', () => {
    const other = createFingerprinter(key.map((byte) => byte ^ 1))
    const all = [
      fingerprinter.fingerprints('bus_1', 'test', ['a']),
      fingerprinter.fingerprints('bus_2', 'test', ['a']),
      fingerprinter.fingerprints('bus_1', 'live', ['a']),
      fingerprinter.fingerprints('bus_1t', 'est', ['a']),
      other.fingerprints('bus_1', 'test', ['a']),
    ].map(joined)
    expect(new Set(all).size).toBe(all.length)
  })

  it('stay the same when more businesses pass than the cache holds', () => {
    const first = fingerprinter.fingerprints('bus_0', 'live', ['x'])
    for (let index = 1; index < 10_000; index += 1) fingerprinter.prefix(`bus_${index}`, 'live')
    expect(fingerprinter.fingerprints('bus_0', 'live', ['x'])).toEqual(first)
  })

  it('want a key of 16 bytes', () => {
    expect(() => createFingerprinter(new Uint8Array(15))).toThrow('16 bytes')
  })
})

describe('the partition of a fingerprint', () => {
  it('is the 64-bit number modulo the partitions', () => {
    const anyWord = fc.integer({ min: 0, max: 0xffffffff })
    fc.assert(
      fc.property(anyWord, anyWord, fc.integer({ min: 1, max: 65_536 }), (hi, lo, partitions) => {
        const expected = ((BigInt(hi) << 32n) | BigInt(lo)) % BigInt(partitions)
        expect(partitionOf(hi, lo, partitions)).toBe(Number(expected))
      }),
    )
  })
})

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index)

const joined = (pair: Uint32Array): bigint => (BigInt(pair[0] ?? 0) << 32n) | BigInt(pair[1] ?? 0)

function reference(business: string, mode: string, id: string): bigint {
  const fields = [generalUtf8(business), generalUtf8(mode)].flatMap((bytes) => {
    const size = bytes.length
    return [size & 255, (size >> 8) & 255, (size >> 16) & 255, size >>> 24, ...bytes]
  })
  while (fields.length % 8 !== 0) fields.push(0)
  return referenceSip(key, Uint8Array.from([...fields, ...generalUtf8(id)]), 1, 3)
}

/** Node's own UTF-8 for what is well formed; three bytes by hand for a lone surrogate. */
function generalUtf8(text: string): number[] {
  return [...text].flatMap((character) => {
    const code = character.charCodeAt(0)
    if (character.length === 1 && code >= 0xd800 && code <= 0xdfff) {
      return [0xed, 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]
    }
    return [...Buffer.from(character, 'utf8')]
  })
}

function referenceSip(k: Uint8Array, message: Uint8Array, c: number, d: number): bigint {
  const mask = (1n << 64n) - 1n
  const number = (bytes: Uint8Array): bigint => {
    return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }
  const [k0, k1] = [number(k.subarray(0, 8)), number(k.subarray(8, 16))]
  let v0 = k0 ^ 0x736f6d6570736575n
  let v1 = k1 ^ 0x646f72616e646f6dn
  let v2 = k0 ^ 0x6c7967656e657261n
  let v3 = k1 ^ 0x7465646279746573n
  const rotate = (x: bigint, by: bigint): bigint => ((x << by) | (x >> (64n - by))) & mask
  const round = (): void => {
    v0 = (v0 + v1) & mask
    v1 = rotate(v1, 13n) ^ v0
    v0 = rotate(v0, 32n)
    v2 = (v2 + v3) & mask
    v3 = rotate(v3, 16n) ^ v2
    v0 = (v0 + v3) & mask
    v3 = rotate(v3, 21n) ^ v0
    v2 = (v2 + v1) & mask
    v1 = rotate(v1, 17n) ^ v2
    v2 = rotate(v2, 32n)
  }
  const padded = new Uint8Array(Math.floor(message.length / 8) * 8 + 8)
  padded.set(message)
  padded[padded.length - 1] = message.length & 255
  for (let at = 0; at < padded.length; at += 8) {
    const m = number(padded.subarray(at, at + 8))
    v3 ^= m
    for (let times = 0; times < c; times += 1) round()
    v0 ^= m
  }
  v2 ^= 0xffn
  for (let times = 0; times < d; times += 1) round()
  return v0 ^ v1 ^ v2 ^ v3
}
