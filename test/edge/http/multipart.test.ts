import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { byteRange } from '../../../src/edge/http/byte-range.ts'
import { readMultipart } from '../../../src/edge/http/multipart.ts'
import { Fault } from '../../../src/faults.ts'

const begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

async function* inPieces(text: string, size: number, error: Error | null = null) {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  if (error !== null) throw error
}

/** What is kept of a form, or the code of the refusal; `later`: it is read only after a while. */
function read(body: AsyncIterable<Uint8Array>, later = false, keeps = true) {
  return readMultipart(body, {
    header: (name) => (name === 'content-type' ? 'multipart/form-data; boundary=b' : null),
    bytesMax: 20,
    keep: async ({ content, fileName }) => {
      if (later) await pause(5)
      if (!keeps) throw new Fault('UNAVAILABLE', 'The disk is full.')
      const pieces: Uint8Array[] = []
      for await (const piece of content) pieces.push(piece)
      return `${fileName}: ${Buffer.concat(pieces).toString()}`
    },
  }).catch((error: { readonly code: string }) => error.code)
}

describe('a form with a file [entitlements#downloads]', () => {
  it.each([1, 7, 1_000])('is read in pieces of %i bytes', async (size) => {
    for (const later of [false, true]) {
      const whole = `${begin}the\r\n-file\r\n--b--\r\n`
      expect(await read(inPieces(whole, size), later)).toBe('a: the\r\n-file')
      expect(await read(inPieces(`${begin}\r\n--b--\r\n`, size), later)).toBe('a: ')
      const two = `${begin}1\r\n${begin}2\r\n--b--\r\n`
      const wrong = [`${begin}cut`, begin, '', 'nothing', '--b--\r\n', two, `${begin}1\r\n--b`]
      for (const text of wrong) {
        expect(await read(inPieces(text, size), later), text).toBe('INVALID_REQUEST_BODY')
      }
      const large = `${begin}${'x'.repeat(21)}\r\n--b--\r\n`
      expect(await read(inPieces(large, size), later)).toBe('REQUEST_TOO_LARGE')
      expect(await read(inPieces(whole, size), later, false)).toBe('UNAVAILABLE')
      const gone = new Fault('REQUEST_TIMEOUT', 'The client is gone.')
      expect(await read(inPieces(`${begin}cut`, size, gone), later)).toBe('REQUEST_TIMEOUT')
    }
  })
})

describe('a range of bytes [entitlements#downloads]', () => {
  it.each([
    [null, 'all'],
    ['bytes=0-', { from: 0, to: 9 }],
    ['bytes=2-4', { from: 2, to: 4 }],
    ['bytes=2-99', { from: 2, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-99', { from: 0, to: 9 }],
    ['bytes=10-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=4-2', 'all'],
    ['bytes=-', 'all'],
    ['bytes=0-1,3-4', 'all'],
    ['lines=1-2', 'all'],
    [`bytes=${'9'.repeat(16)}-`, 'all'],
  ] as const)('%s of ten is %o', (header, expected) => {
    expect(byteRange(header, 10)).toEqual(expected)
  })

  it('of nothing is none', () => {
    expect([byteRange('bytes=0-', 0), byteRange('bytes=-1', 0), byteRange(null, 0)]).toEqual([
      'none',
      'none',
      'all',
    ])
  })
})
