import { createHash } from 'node:crypto'
import type { Files } from '../../../src/parts/files/port.ts'

/** Files that end with the test. */
export function memoryFiles(): Files {
  const all = new Map<string, Uint8Array>()
  return {
    async keep(content) {
      const parts: Uint8Array[] = []
      for await (const part of content) parts.push(part)
      const bytes = Buffer.concat(parts)
      const digest = createHash('sha256').update(bytes).digest('hex')
      all.set(digest, bytes)
      return { digest, bytes: bytes.length }
    },
    size: async (digest) => all.get(digest)?.length ?? null,
    async read(digest, range) {
      const found = all.get(digest)
      if (found === undefined) return null
      return one(range === undefined ? found : found.subarray(range.from, range.to + 1))
    },
    close: () => Promise.resolve(),
  }
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
