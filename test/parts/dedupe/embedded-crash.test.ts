import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbeddedDedupe } from '../../../src/parts/dedupe/embedded/dedupe.ts'
import { hour } from '../../../src/std/instant.ts'
import { runIds } from '../../support/dedupe/runs.ts'
import { linesOf, startChild } from '../../support/process/child.ts'
import { timesOf } from '../../support/run/long.ts'

const rounds = timesOf('CRASH_ROUNDS', { short: 4, long: 10 })
const windowRuns = 2_400

describe('the embedded dedupe', () => {
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dedupe-crash-'))
  })

  afterEach(() => rm(directory, { recursive: true }))

  it('is never synced further than its ids, whenever it is killed with -9', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const lines = await linesOf(startChild('dedupe/dedupe-child', [directory]), randomInt(150))
      expect(lines.length).toBeGreaterThan(0)
      const marked = lines.map((line) => line.split(' ').map(Number))
      for (const partition of [0, 1]) {
        const ends = marked.filter(([one]) => one === partition).map(([, end = 0]) => end)
        await expectComplete(partition, Math.max(0, ...ends))
      }
    }
  })

  async function expectComplete(partition: number, atLeast: number): Promise<void> {
    const dedupe = await openEmbeddedDedupe({
      directory,
      partitions: 2,
      windowUs: 24 * hour,
      port: { postMessage: () => undefined },
    })
    const probe = await dedupe.check(partition, 'a', Number.MAX_SAFE_INTEGER, new Uint32Array())
    const synced = probe.kind === 'stale' ? (probe.synced ?? 0) : 0
    // A kill, unlike a power cut, takes nothing away that was committed.
    expect(synced).toBeGreaterThanOrEqual(atLeast)
    for (let start = Math.max(0, synced - windowRuns); start < synced; start += 1) {
      const answer = await dedupe.check(partition, 'a', synced, runIds(partition, start))
      expect(answer.kind === 'answer' && answer.known.every((known) => known === 1)).toBe(true)
    }
    await dedupe.close()
  }
})
