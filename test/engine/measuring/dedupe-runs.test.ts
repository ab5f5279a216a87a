import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inDedupeRuns } from '../../../src/engine/measuring/dedupe-runs.ts'
import type { Run } from '../../../src/parts/dedupe/port.ts'
import type { StoredBatch } from '../../../src/parts/store/measuring.ts'
import { packFingerprints } from '../../../src/rules/archive/fingerprints.ts'
import { day, hour, minute } from '../../../src/std/instant.ts'

const noon = 12 * hour

describe('gathering batches to heal from', () => {
  it('makes one run of neighbours', async () => {
    const runs = await runsOf([batch([4, 6], [1]), batch([6, 9], [2, 3])])
    expect(runs).toEqual([{ start: 4, end: 9, ran: noon, ids: idsOf([1, 2, 3]) }])
  })

  it('tells the latest running time', async () => {
    const runs = await runsOf([batch([0, 1], [1]), batch([1, 2], [2], noon + minute)])
    expect(runs.map(({ ran }) => ran)).toEqual([noon + minute])
  })

  it('never joins over a gap, over more than an hour of a day, or past its size', async () => {
    expect(await runsOf([batch([0, 1], [1]), batch([2, 3], [2])])).toHaveLength(2)
    expect(await runsOf([batch([0, 1], [1]), batch([1, 2], [2], noon + 2 * hour)])).toHaveLength(2)
    const many = Array.from({ length: 40_000 }, (_, id) => id)
    expect(await runsOf([batch([0, 1], many), batch([1, 2], many)])).toHaveLength(2)
  })

  it('loses no id and no offset, whatever the batches', async () => {
    const sizes = fc.array(fc.tuple(fc.nat(3), fc.nat(40), fc.boolean()), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(sizes, async (shapes) => {
        let [next, id, ran] = [0, 0, noon]
        const batches = shapes.map(([ids, minutes, gap]) => {
          const start = next + (gap ? 1 : 0)
          next = start + 1
          const own = Array.from({ length: ids }, () => ++id)
          ran += minutes * minute
          return batch([start, next], own, ran)
        })
        const runs = await runsOf(batches)
        const all = runs.flatMap(({ ids }) => [...ids].filter((_, index) => index % 3 === 1))
        expect(all).toEqual(Array.from({ length: id }, (_, index) => index + 1))
        const covered = (of: readonly { start: number; end: number }[]) =>
          of.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at))
        expect(covered(runs)).toEqual(covered(batches))
      }),
    )
  })
})

const idsOf = (ids: readonly number[]): Uint32Array =>
  Uint32Array.from(ids.flatMap((id) => [7, id, 9]))

const batch = (
  [start, end]: readonly [number, number],
  ids: readonly number[],
  ran = noon,
): StoredBatch => ({
  start,
  end,
  ran,
  fingerprints: packFingerprints(idsOf(ids)),
  verdicts: new Uint8Array(ids.length),
})

async function runsOf(batches: readonly StoredBatch[]): Promise<readonly Run[]> {
  const runs: Run[] = []
  for await (const run of inDedupeRuns(stream(), day)) runs.push(run)
  return runs

  async function* stream() {
    yield* batches
  }
}
