import { writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/runtime/pool.ts'
import { scratchDirectory } from '../support/process/server.ts'

const source = `export default function run({ bytes }) {
  if (bytes.byteLength === 0) throw new Error('nothing to add')
  return new Uint8Array(bytes).reduce((sum, byte) => sum + byte, 0)
}`

/** Answers how nice its own thread is, as the kernel lists it. */
const nicenessSource = `import { readFileSync } from 'node:fs'
export default function run() {
  const text = readFileSync('/proc/thread-self/stat', 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])
}`

describe('a pool', () => {
  const scratch = scratchDirectory()
  const entry = join(scratch.path, 'sum.mjs')
  writeFileSync(entry, source)
  const pool = openPool<{ bytes: ArrayBuffer }, number>({ workers: 2, entry: pathToFileURL(entry) })
  afterAll(async () => {
    await pool.close()
    scratch.remove()
  })

  it('runs tasks in threads and moves buffers there', async () => {
    const buffers = [1, 2, 3].map((value) => new Uint8Array(4).fill(value).buffer)
    const sums = await Promise.all(buffers.map((bytes) => pool.run({ bytes }, [bytes])))
    expect(sums).toEqual([4, 8, 12])
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
  })

  it('rejects with what a task throws, and goes on', async () => {
    await expect(pool.run({ bytes: new ArrayBuffer(0) })).rejects.toThrow('nothing to add')
    expect(await pool.run({ bytes: new Uint8Array([5]).buffer })).toBe(5)
  })

  it.runIf(process.platform === 'linux')('lets its threads give way, and no others', async () => {
    const entries = { way: join(scratch.path, 'way.mjs'), own: join(scratch.path, 'own.mjs') }
    for (const file of Object.values(entries)) writeFileSync(file, nicenessSource)
    const open = (file: string, givesWay: boolean) =>
      openPool<null, number>({ workers: 1, entry: pathToFileURL(file), idleMs: 60_000, givesWay })
    const [giving, other] = [open(entries.way, true), open(entries.own, false)]
    try {
      const before = getPriority()
      expect(await giving.run(null)).toBe(Math.min(19, before + 5))
      expect(await other.run(null)).toBe(before)
      expect(getPriority()).toBe(before)
    } finally {
      await Promise.all([giving.close(), other.close()])
    }
  })
})
