import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { Fault } from '../../../faults.ts'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Duration } from '../../../std/instant.ts'
import type { Offset, Partition } from '../../event-log/port.ts'
import type { CheckAnswer, Dedupe, Fingerprints, Run } from '../port.ts'
import type { AnnouncementPort } from './announcement.ts'
import { announcing } from './announcement.ts'
import type { Generations } from './generations.ts'
import { createGenerations, liveGenerations } from './generations.ts'
import type { Runs, State } from './runs.ts'
import { openRuns } from './runs.ts'

export interface EmbeddedDedupeNeeds {
  readonly directory: string
  readonly partitions: number
  /** How long an id is known, in running time: what the part promises. */
  readonly windowUs: Duration
  /** The other end of this port belongs to openEmbeddedFilter. */
  readonly port: AnnouncementPort
}

/** One partition's namespace in memory, and what the disk has of it. */
interface Held {
  readonly state: State
  readonly generations: Generations
  /** Lets the edge see it, too. */
  announce(): void
}

/**
 * The embedded dedupe, in the engine thread: ids in shared memory, and on disk as runs to fill the
 * memory from at the next start.
 */
export async function openEmbeddedDedupe(needs: EmbeddedDedupeNeeds): Promise<Dedupe> {
  const { directory, partitions, windowUs, port } = needs
  assert(windowUs > 0)
  await mkdir(directory, { recursive: true })
  const runs = openRuns(directory)
  const held = Array.from({ length: partitions }, (_, partition) => restore(partition))
  /**
   * Changes of one partition run one after the other, because each depends on what the last one
   * left.
   */
  const changes = held.map((): Promise<unknown> => Promise.resolve())
  let sweeping: Promise<void> = Promise.resolve()
  return { check, mark, reset, size, close }

  async function check(
    partition: Partition,
    namespace: string,
    start: Offset,
    ids: Fingerprints,
  ): Promise<CheckAnswer> {
    const one = held[partition]
    if (one == null || one.state.namespace !== namespace) return { kind: 'stale', synced: null }
    const { synced } = one.state
    if (synced === start) {
      // Announced only now: the disk may know ids that the books have lost, and the edge must not
      // believe those.
      one.announce()
      return { kind: 'answer', known: one.generations.known(ids) }
    }
    return { kind: 'stale', synced: synced < start ? synced : null }
  }

  async function mark(partition: Partition, namespace: string, run: Run): Promise<boolean> {
    assert(run.end > run.start || (run.end === run.start && run.ids.length === 0))
    assert(run.ids.length % fingerprintWords === 0)
    return inOrder(partition, async () => {
      const one = held[partition]
      if (one == null || one.state.namespace !== namespace) return false
      if (one.state.synced !== run.start) return false
      const { generations } = one
      const newest = generations.at(run.ran)
      const state = { ...one.state, synced: run.end, newest }
      // The disk comes first: memory that is ahead of it would answer for ids that a restart
      // forgets.
      await save(partition, state, { generation: newest, end: run.end, ids: run.ids })
      generations.advance(newest)
      generations.add(newest, run.ids)
      held[partition] = { ...one, state }
      if (newest !== one.state.newest) sweep(partition, state)
      return true
    })
  }

  async function reset(partition: Partition, namespace: string, from: Offset): Promise<void> {
    return inOrder(partition, async () => {
      const slot = (held[partition]?.state.slot ?? runs.state(partition)?.slot ?? 0) + 1
      const state: State = { namespace, slot, synced: from, newest: null, windowUs }
      await save(partition, state, null)
      const begun = begin(partition, state)
      begun.announce()
      held[partition] = begun
      sweep(partition, state)
    })
  }

  async function size(): Promise<number> {
    return held.reduce((sum, one) => sum + (one?.generations.count() ?? 0), 0)
  }

  async function close(): Promise<void> {
    await Promise.allSettled(changes)
    await sweeping
    await runs.close()
  }

  function restore(partition: Partition): Held | null {
    const state = runs.state(partition)
    // With another window the generations mean something else, so they count as lost, and the store
    // heals.
    if (state === null || state.windowUs !== windowUs) return null
    const one = begin(partition, state)
    const newest = state.newest ?? 0
    for (let back = liveGenerations - 1; back >= 0; back -= 1) {
      one.generations.add(newest - back, runs.load(partition, state, newest - back))
    }
    return one
  }

  function begin(partition: Partition, state: State): Held {
    const { announce, say } = announcing(port)
    say({ kind: 'begin', partition, namespace: state.namespace })
    const generations = createGenerations({
      windowUs,
      newest: state.newest,
      announce: (generation, segment) => say({ kind: 'segment', partition, generation, segment }),
      dropped: (before) => say({ kind: 'dropped', partition, before }),
    })
    return { state, generations, announce }
  }

  function inOrder<T>(partition: Partition, change: () => Promise<T>): Promise<T> {
    const before = changes[partition]
    assert(before !== undefined, `There are ${partitions} partitions, none is ${partition}.`)
    const done = before.then(change)
    changes[partition] = done.catch(() => undefined)
    return done
  }

  async function save(...what: Parameters<Runs['save']>): Promise<void> {
    try {
      await runs.save(...what)
    } catch (error) {
      const needs = { cause: error, retryAfterSeconds: 5 }
      throw new Fault('UNAVAILABLE', 'The dedupe could not write.', needs)
    }
  }

  /** Nobody waits for this. What is left behind after a failure goes with the next sweep. */
  function sweep(partition: Partition, { slot, newest }: State): void {
    const before = (newest ?? 0) - liveGenerations + 1
    sweeping = sweeping.then(() => runs.sweep(partition, slot, before)).catch(() => undefined)
  }
}
