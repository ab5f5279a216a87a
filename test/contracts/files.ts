import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Files } from '../../src/parts/files/port.ts'

export interface FilesUnderTest {
  readonly files: Files
  /** Another one on what the first has kept, as after a restart. */
  reopened(): Promise<Files>
  readonly close: () => Promise<void>
}

const bytesOf = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7 + (index >> 8)) & 255)

async function* inParts(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function whole(content: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  if (content === null) return null
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

/** What every driver of the port does. */
export function filesContract(name: string, open: () => Promise<FilesUnderTest>): void {
  describe(`files: ${name}`, () => {
    let tested: FilesUnderTest
    let files: Files
    beforeAll(async () => {
      tested = await open()
      files = tested.files
    })
    afterAll(() => tested.close())

    it('are kept under what their bytes say, and read back whole', async () => {
      const bytes = bytesOf(700_001, 1)
      const kept = await files.keep(inParts(bytes, 65_537))
      expect(kept).toEqual({ digest: digestOf(bytes), bytes: bytes.length })
      expect(await files.size(kept.digest)).toBe(bytes.length)
      expect((await whole(await files.read(kept.digest)))?.equals(bytes)).toBe(true)
    })

    it('may be empty', async () => {
      const kept = await files.keep(inParts(new Uint8Array(0), 1))
      expect(kept.bytes).toBe(0)
      expect(await files.size(kept.digest)).toBe(0)
      expect(await whole(await files.read(kept.digest))).toHaveLength(0)
    })

    it('are read in parts, both ends included', async () => {
      const bytes = bytesOf(10_000, 2)
      const { digest } = await files.keep(inParts(bytes, 999))
      const ranges = [
        [0, 0],
        [0, 9_999],
        [9_999, 9_999],
        [4_000, 7_000],
      ] as const
      for (const [from, to] of ranges) {
        const part = await whole(await files.read(digest, { from, to }))
        expect(part?.equals(bytes.subarray(from, to + 1)), `${from}-${to}`).toBe(true)
      }
    })

    it('are kept once, however often and however many at a time they come', async () => {
      const bytes = bytesOf(50_000, 3)
      const all = await Promise.all([1, 2, 3, 4].map(() => files.keep(inParts(bytes, 8_000))))
      expect(new Set(all.map(({ digest }) => digest)).size).toBe(1)
      expect(await files.size(digestOf(bytes))).toBe(bytes.length)
    })

    it('are not there when their sending ends in the middle', async () => {
      const bytes = bytesOf(30_000, 4)
      async function* broken(): AsyncIterable<Uint8Array> {
        yield bytes.subarray(0, 20_000)
        throw new Error('the sender is gone')
      }
      await expect(files.keep(broken())).rejects.toThrow('the sender is gone')
      expect(await files.size(digestOf(bytes.subarray(0, 20_000)))).toBeNull()
      expect(await files.size(digestOf(bytes))).toBeNull()
    })

    it('are nothing where nothing was kept', async () => {
      const digest = digestOf(bytesOf(7, 5))
      expect(await files.size(digest)).toBeNull()
      expect(await files.read(digest)).toBeNull()
      expect(await files.read(digest, { from: 0, to: 1 })).toBeNull()
    })

    it('are there after a restart', async () => {
      const bytes = bytesOf(1_234, 6)
      const { digest } = await files.keep(inParts(bytes, 1_000))
      const again = await tested.reopened()
      expect((await whole(await again.read(digest)))?.equals(bytes)).toBe(true)
      await again.close()
    })
  })
}
