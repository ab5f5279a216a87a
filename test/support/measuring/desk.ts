import { expect } from 'vitest'
import type { Committed, Measured, StoredBatch } from '../../../src/parts/store/measuring.ts'
import type { AccountKey } from '../../../src/rules/accounts/view.ts'
import { day } from '../../../src/std/instant.ts'
import { holdPartition } from '../store/hold-partition.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { measuredOf } from '../store/scratch-store.ts'

/**
 * What the contract suites of measuring share: partitions that nobody held before, commits, and
 * what became of them.
 */
export function measuringDesk(driver: { open(): Promise<ScratchStore> }) {
  let opened: ScratchStore | undefined
  let partitions = 0
  return { open, partition, account, commit, checkpoint, unchanged, batchesOf }

  async function open(): Promise<ScratchStore> {
    opened = await driver.open()
    return opened
  }

  function store(): ScratchStore {
    if (opened === undefined) throw new Error('Open the desk first.')
    return opened
  }

  async function partition(): Promise<number> {
    partitions += 1
    await holdPartition(store(), partitions)
    return partitions
  }

  async function account(): Promise<AccountKey> {
    const scope = await store().business()
    const customerId = await store().customer(scope)
    return { ...scope, customerId, entitlementId: await store().entitlement(scope) }
  }

  function commit(parts: Partial<Measured>): Promise<Committed> {
    return store().measuring.commit(measuredOf(parts))
  }

  async function checkpoint(of: number) {
    return (await store().measuring.checkpoints()).find((each) => each.partition === of)
  }

  /** Does `work`, and fails where that has written anything. Answers what `work` answered. */
  async function unchanged(work: () => Promise<Committed>): Promise<Committed> {
    const before = await store().contents()
    const answer = await work()
    expect(await store().contents()).toBe(before)
    return answer
  }

  async function batchesOf(own: number, from = 0, age = 365 * day) {
    const all: StoredBatch[] = []
    for await (const batch of store().measuring.batches(own, from, age)) all.push(batch)
    return all
  }
}
