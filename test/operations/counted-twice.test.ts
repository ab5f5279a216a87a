import { describe, expect, it } from 'vitest'
import { countedTwice } from '../../src/operations/verify/counted-twice.ts'
import type { StoredBatch } from '../../src/parts/store/measuring.ts'
import { day, hour } from '../../src/std/instant.ts'

describe('what counted twice', () => {
  it('is an id that counted in two batches within a window of running time', async () => {
    const all = [batch(0, 0, [1, 2]), batch(1, hour, [3]), batch(2, day, [2, 1])]
    expect(await found(all)).toEqual({ ids: 2, first: [0, 2] })
    expect(await found(all, day - 1)).toBeNull()
  })

  it('is an id that counted twice in one batch', async () => {
    expect(await found([batch(4, 0, [7, 7])])).toEqual({ ids: 1, first: [4, 4] })
  })

  it('is not one whose repeat was known, nor one that shares two of its words', async () => {
    const repeat = { ...batch(1, hour, [1]), verdicts: Uint8Array.of(2) }
    const half = Uint8Array.of(0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 9)
    expect(await found([batch(0, 0, [1]), repeat, batch(2, 2 * hour, [2], half)])).toBeNull()
  })

  it('is found among more ids than memory holds, if many are wrong', async () => {
    const ids = Array.from({ length: 2_000 }, (_, id) => id)
    const twice = await found([batch(0, 0, ids), batch(1, hour, ids)], day, 100)
    expect(twice?.ids).toBeGreaterThan(20)
    const right = [
      batch(0, 0, ids),
      batch(
        1,
        hour,
        ids.map((id) => id + 2_000),
      ),
    ]
    expect(await found(right, day, 100)).toBeNull()
  })
})

async function found(batches: readonly StoredBatch[], window = day, idsMax = 1_000) {
  return countedTwice(stream(), { window, idsMax })

  async function* stream() {
    yield* batches
  }
}

function batch(
  start: number,
  ran: number,
  ids: readonly number[],
  packed = packedFrom(ids),
): StoredBatch {
  const verdicts = new Uint8Array(ids.length)
  return { start, end: start + 1, ran, fingerprints: packed, verdicts }
}

function packedFrom(ids: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(ids.length * 12)
  const view = new DataView(bytes.buffer)
  for (const [index, id] of ids.entries()) {
    view.setUint32(index * 12, 5)
    view.setUint32(index * 12 + 4, id)
  }
  return bytes
}
