import { expect, test } from 'vitest'
import type { HealedStretch } from '../../src/parts/store/measuring.ts'
import { minute } from '../../src/std/instant.ts'
import type { measuringDesk } from '../support/measuring/desk.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { measuredOf, sliceOf } from '../support/store/scratch-store.ts'

type Desk = Pick<ReturnType<typeof measuringDesk>, 'partition' | 'checkpoint'>

/** When a checkpoint names another dedupe namespace. [machines#measuring] */
export function testNamespaces({ partition, checkpoint, store }: Desk & { store(): ScratchStore }) {
  test('a namespace changes only in the epoch that holds the partition, and where it ends', async () => {
    const own = await partition()
    const rename = renaming(store(), own)
    expect(await rename('stolen', { epoch: 2 })).toBe(false)
    expect(await rename('of lost commits', { next: 1 })).toBe(false)
    expect(await rename('healed', {})).toBe(true)
    expect((await checkpoint(own))?.namespace).toBe('healed')
  })

  test('a namespace that lacks a batch of the window is not taken for whole', async () => {
    const own = await partition()
    const rename = renaming(store(), own)
    for (const [start, ran] of [0, minute].entries()) {
      const slices = [sliceOf({ partition: own, start, ran })]
      expect(await store().measuring.commit(measuredOf({ slices }))).toEqual({ kind: 'committed' })
    }
    // As if the first batch had come back, after nobody had found it.
    expect(await rename('of the second', { from: 1, next: 2, age: minute })).toBe(false)
    expect(await rename('of none', { from: 2, next: 2, age: minute })).toBe(false)
    expect(await rename('of both', { next: 2, age: minute })).toBe(true)
    // The first one is older than that.
    expect(await rename('of what counts', { from: 1, next: 2, age: minute - 1 })).toBe(true)
  })
}

const renaming =
  ({ measuring }: ScratchStore, partition: number) =>
  (namespace: string, stretch: Partial<HealedStretch>) =>
    measuring.rename(partition, { epoch: 1, from: 0, next: 0, age: 0, ...stretch }, namespace)
