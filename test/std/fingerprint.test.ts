import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFingerprinter, partitionOf } from '../../src/std/fingerprint.ts'
import { sipHash128 } from '../../src/std/siphash.ts'

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
  it('gives the published vectors of SipHash-2-4 with 128 bits for the key 00 … 0f', () => {
    const published = [
      [0, 'a3817f04ba25a8e66df67214c7550293'],
      [1, 'da87c1d86b99af44347659119b22fc45'],
      [2, '8177228da4a45dc7fca38bdef60affe4'],
    ] as const
    for (const [length, expected] of published) {
      expect(hex(sipHash128(key, counting(length), { c: 2, d: 4 }))).toBe(expected)
      expect(hex(referenceSip(key, counting(length), 2, 4))).toBe(expected)
    }
  })

  it('gives what OpenSSL gives of SipHash-1-3 with 128 bits for the key 00 … 0f', () => {
    const known = [
      'e77ebcb22788a5befd62db6add303001',
      'fc6f370460d3eda85e0573cc2b2ff063',
      '75787f090569839b855bc9548c6aea95',
    ]
    known.forEach((expected, length) => {
      expect(hex(sipHash128(key, counting(length), { c: 1, d: 3 }))).toBe(expected)
    })
  })

  it('agrees with a slow model in whole 64-bit numbers', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.uint8Array({ maxLength: 100 }),
        (anyKey, bytes) => {
          const expected = referenceSip(anyKey, bytes, 1, 3)
          expect(sipHash128(anyKey, bytes, { c: 1, d: 3 })).toEqual(expected)
        },
      ),
    )
  })
})

describe('fingerprints', () => {
  const fingerprinter = createFingerprinter(key)

  it('are 96 bits of SipHash-1-3 of length-prefixed business and mode, padded, and the id', () => {
    fc.assert(
      fc.property(
        anyId,
        fc.constantFrom('test', 'live'),
        fc.array(anyId),
        (business, mode, ids) => {
          const got = fingerprinter.fingerprints(business, mode, ids)
          const whole = fingerprinter.identities(business, mode, ids)
          ids.forEach((id, index) => {
            const expected = reference(business, mode, id)
            expect([...got.subarray(index * 3, index * 3 + 3)]).toEqual(expected.slice(0, 3))
            expect([...whole.subarray(index * 4, index * 4 + 4)]).toEqual(expected)
            expect(fingerprinter.identity(business, mode, id)).toEqual(expected)
          })
        },
      ),
    )
  })

  it('read every code that hides in the bits of its neighbours as what it is', () => {
    for (const id of ['\u0141bcdefgh', 'aaaaaaa\u0100', 'é', '\u0080', 'abcdefgh\u0100']) {
      expect(fingerprinter.identity('bus_1', 'test', id)).toEqual(reference('bus_1', 'test', id))
    }
  })

  it('tell ids with different unpaired surrogates apart, the same way every time', () => {
    const ids = ['a\ud800', 'a\ud801', 'a\ufffd', 'a\udc00', '\ud800', '\u{1f600}']
    const got = fingerprinter.fingerprints('bus_1', 'test', ids)
    const all = ids.map((_, index) => got.subarray(index * 3, index * 3 + 3).join())
    expect(new Set(all).size).toBe(ids.length)
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
    ].map(String)
    expect(new Set(all).size).toBe(all.length)
  })

  it('stay the same when more businesses pass than the cache holds', () => {
    const first = fingerprinter.fingerprints('bus_0', 'live', ['x'])
    for (let index = 1; index < 10_000; index += 1)
      fingerprinter.identity(`bus_${index}`, 'live', 'x')
    expect(fingerprinter.fingerprints('bus_0', 'live', ['x'])).toEqual(first)
  })

  it('want a key of 16 bytes', () => {
    expect(() => createFingerprinter(new Uint8Array(15))).toThrow('16 bytes')
  })
})

describe('the partition of an identity', () => {
  it('is chosen by bits that are not in its fingerprint, evenly', () => {
    const counts = [0, 0, 0, 0, 0]
    const fingerprinter = createFingerprinter(key)
    for (let index = 0; index < 5_000; index += 1) {
      const [, , , place] = fingerprinter.identity('bus_1', 'test', `evt_${index}`)
      const partition = partitionOf(place, counts.length)
      counts[partition] = (counts[partition] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200)
    expect(partitionOf(0xffff_ffff, 16)).toBe(15)
  })
})

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index)

/** As the vectors are published: little-endian. */
const hex = (words: Uint32Array): string => Buffer.from(words.buffer).toString('hex')

/** [hi, lo, rest, place]. */
function reference(business: string, mode: string, id: string): number[] {
  const fields = [generalUtf8(business), generalUtf8(mode)].flatMap((bytes) => {
    const size = bytes.length
    return [size & 255, (size >> 8) & 255, (size >> 16) & 255, size >>> 24, ...bytes]
  })
  while (fields.length % 8 !== 0) fields.push(0)
  const message = Uint8Array.from([...fields, ...generalUtf8(id)])
  const [lo = 0, hi = 0, place = 0, rest = 0] = referenceSip(key, message, 1, 3)
  return [hi, lo, rest, place]
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

function referenceSip(k: Uint8Array, message: Uint8Array, c: number, d: number): Uint32Array {
  const mask = (1n << 64n) - 1n
  const number = (bytes: Uint8Array): bigint => {
    return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }
  const [k0, k1] = [number(k.subarray(0, 8)), number(k.subarray(8, 16))]
  let v0 = k0 ^ 0x736f6d6570736575n
  let v1 = k1 ^ 0x646f72616e646f6dn ^ 0xeen
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
  v2 ^= 0xeen
  for (let times = 0; times < d; times += 1) round()
  const first = v0 ^ v1 ^ v2 ^ v3
  v1 ^= 0xddn
  for (let times = 0; times < d; times += 1) round()
  return new Uint32Array(BigUint64Array.of(first, v0 ^ v1 ^ v2 ^ v3).buffer)
}
