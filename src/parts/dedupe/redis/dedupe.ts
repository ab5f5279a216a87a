import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Fault } from '../../../faults.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Duration } from '../../../std/instant.ts'
import type { Offset, Partition } from '../../event-log/port.ts'
import { openRedis } from '../../redis.ts'
import type { RedisSettings } from '../../redis-settings.ts'
import type { CheckAnswer, Dedupe, Fingerprints, Run } from '../port.ts'
import type { Health } from './health.ts'
import { watchHealth } from './health.ts'
import { idsByScript, packIds, siftedOf } from './id-packing.ts'
import { dedupeKeys } from './keys.ts'
import { ask } from './look.ts'
import { markScript, resetScript, sizeScript } from './scripts.ts'
import type { MarkPlace } from './sieve/own.ts'
import { openOwnSieve } from './sieve/own.ts'
import { idsAt, knownAt, noneKnown } from './some-ids.ts'

export interface RedisDedupeNeeds {
  readonly redis: RedisSettings
  /** The id of the installation; keys of another installation never answer. */
  readonly installation: string
  readonly partitions: number
  /** How long an id is known, in running time: what the part promises. */
  readonly windowUs: Duration
  readonly logger: Logger
}

/** How long the start waits for Redis. Until Redis is there, every call throws UNAVAILABLE. */
const openMs = 2_000

/** The engine's end of the dedupe in Redis. Opens also while Redis is away. */
export async function openRedisDedupe(needs: RedisDedupeNeeds): Promise<Dedupe> {
  const { redis, installation, partitions, windowUs, logger } = needs
  assert(windowUs > 0)
  const connection = openRedis({ settings: redis, logger, name: 'sluice-dedupe' })
  const watch = watchHealth(connection, logger)
  const keys = dedupeKeys(installation, connection.clustered)
  // Rounded up: two generations may cover more than the window, never less.
  const half = Math.ceil(windowUs / 2)
  /** Changes of one partition run one after the other, because a mark may take several steps. */
  const changes = Array.from({ length: partitions }, (): Promise<unknown> => Promise.resolve())
  const own = openOwnSieve({ connection, keys, isMarkedTo })
  await connection.settled(openMs)
  // Asked here so that what is wrong with Redis is logged at the start.
  await watch.health().catch(() => undefined)
  return { check, mark, reset, size, close }

  async function check(...question: Parameters<Dedupe['check']>): Promise<CheckAnswer> {
    const [partition, namespace, start, ids] = question
    const at = { partition, namespace, start }
    const doubted = own.doubted(at, ids)
    // Who asks about no ids wants to know of Redis itself.
    if (doubted === null || ids.length === 0) {
      const answer = await asked(at, ids)
      if (answer.kind === 'answer') own.confirmed(at, ids)
      return answer
    }
    if (doubted.length === 0) return { kind: 'answer', known: noneKnown(ids) }
    const answer = await asked(at, idsAt(ids, doubted))
    if (answer.kind === 'stale') return answer
    return { kind: 'answer', known: knownAt(ids, doubted, answer.known) }
  }

  async function asked({ namespace, partition, start }: MarkPlace, ids: Fingerprints) {
    return answered(async ({ evicted }): Promise<CheckAnswer> => {
      const known = noneKnown(ids)
      const condition = { half, evicted }
      const replies = await Promise.all(
        idsByScript(ids).map(({ ids: some, from }) => {
          const count = some.length / fingerprintWords
          const part = known.subarray(from, from + count)
          const pieces = [{ partition, namespace, start, count }]
          const call = { pieces, ids: some, known: part }
          return ask(connection, keys, { call, condition })
        }),
      )
      const stale = replies.flat(1).find((reply) => reply !== 1)
      if (stale === undefined) return { kind: 'answer', known }
      const [synced]: unknown[] = Array.isArray(stale) ? stale : []
      const reached = synced instanceof Buffer ? Number(synced.toString()) : null
      return { kind: 'stale', synced: reached !== null && reached < start ? reached : null }
    })
  }

  async function isMarkedTo(at: () => MarkPlace): Promise<boolean> {
    return inOrder(at().partition, async () => {
      const answer = await asked(at(), new Uint32Array(0))
      return answer.kind === 'answer'
    })
  }

  async function mark(partition: Partition, namespace: string, run: Run): Promise<boolean> {
    assert(run.end > run.start || (run.end === run.start && run.ids.length === 0))
    assert(run.ids.length % fingerprintWords === 0)
    return inOrder(partition, async ({ evicted }) => {
      const generation = Math.floor(run.ran / half)
      const place = [namespace, run.start, run.end, half, evicted, generation]
      const parts = idsByScript(run.ids)
      const isMarked = await steps(parts.length, async (step) => {
        const last = step === parts.length ? 1 : 0
        const ids = parts[step - 1]?.ids ?? run.ids
        const { bytes } = packIds(ids, [ids.length / fingerprintWords])
        const rest = [...place, step, last, bytes, siftedOf(bytes)]
        return (await connection.run(markScript, keys.of([partition]), rest)) === 1
      })
      if (isMarked) own.marked(partition, namespace, { ...run, generation })
      else own.lost(partition)
      return isMarked
    })
  }

  async function reset(partition: Partition, namespace: string, from: Offset): Promise<void> {
    return inOrder(partition, async ({ evicted }) => {
      const filling = randomBytes(6).toString('base64url')
      const rest = [namespace, from, half, evicted, filling]
      await connection.run(resetScript, keys.of([partition]), rest)
      own.begun({ partition, namespace, start: from })
    })
  }

  /**
   * Counts the ids of all partitions, whichever process marks them, so every process shows the same
   * number.
   */
  async function size(): Promise<number> {
    return answered(async () => {
      const counts = await Promise.all(
        changes.map((_, partition) => connection.run(sizeScript, keys.of([partition]), [])),
      )
      return counts.reduce((sum: number, count) => sum + Number(count), 0)
    })
  }

  async function close(): Promise<void> {
    const closed = own.close()
    await Promise.allSettled(changes)
    watch.close()
    connection.close()
    await closed
  }

  /** What fails may have been done or not. */
  function inOrder<T>(partition: Partition, change: (health: Health) => Promise<T>): Promise<T> {
    const before = changes[partition]
    assert(before !== undefined, `There are ${partitions} partitions, none is ${partition}.`)
    const done = before
      .then(() => answered(change))
      .catch((error: unknown) => {
        own.lost(partition)
        throw error
      })
    changes[partition] = done.catch(() => undefined)
    return done
  }

  /** Does `work` unless Redis is unfit to hold the dedupe, which counts as away. */
  async function answered<T>(work: (health: Health) => Promise<T>): Promise<T> {
    try {
      const health = await watch.health()
      if (health.unfit !== null) throw new Fault('UNAVAILABLE', health.unfit, retrying)
      return await work(health)
    } catch (error) {
      if (error instanceof Fault || error instanceof assert.AssertionError) throw error
      throw new Fault('UNAVAILABLE', sentenceOf(error), { cause: error, ...retrying })
    }
  }
}

const retrying = { retryAfterSeconds: 5 }

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('OOM')) return 'Redis has no memory left for the dedupe (maxmemory).'
  return 'Redis does not answer the dedupe.'
}

/** Takes the steps one after the other and stops at the first that does nothing. */
async function steps(count: number, take: (step: number) => Promise<boolean>): Promise<boolean> {
  for (let step = 1; step <= count; step += 1) if (!(await take(step))) return false
  return true
}
