import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import type { Sum } from '../../runtime/copying.ts'

/** Writes values to a new file, each as a line of JSON, compressed. */
export async function writeLines(
  path: string,
  groups: AsyncIterable<readonly unknown[]>,
): Promise<Sum> {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(Readable.from(texts()), gzip, counted, file)
  return { bytes, sha256: hash.digest('hex') }

  async function* texts(): AsyncIterable<string> {
    for await (const group of groups) {
      if (group.length > 0) yield group.map((value) => `${JSON.stringify(value)}\n`).join('')
    }
  }
}

const groupMax = 1_000
const groupCharactersMax = 1024 * 1024

/** Reads them again, some at a time. */
export async function* readLines<T>(path: string): AsyncIterable<readonly T[]> {
  const file = createReadStream(path)
  const unzipped = file.pipe(createGunzip())
  file.once('error', (error) => unzipped.destroy(error))
  const lines = createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })
  let group: T[] = []
  let characters = 0
  for await (const line of lines) {
    group.push(JSON.parse(line) as T)
    characters += line.length
    if (group.length < groupMax && characters < groupCharactersMax) continue
    yield group
    group = []
    characters = 0
  }
  if (group.length > 0) yield group
}
