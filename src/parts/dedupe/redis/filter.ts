import type { Logger } from '../../../runtime/logger.ts'
import { fingerprintWords } from '../../../std/fingerprint.ts'
import type { Offset, Partition } from '../../event-log/port.ts'
import { laneOf } from '../../lane.ts'
import type { RedisConnection } from '../../redis.ts'
import { openRedis } from '../../redis.ts'
import type { RedisSettings } from '../../redis-settings.ts'
import type { DedupeFilter, Filling, Fingerprints, Known } from '../port.ts'
import { idsPerScript } from './id-packing.ts'
import { dedupeKeys } from './keys.ts'
import type { KnownQuestion } from './look.ts'
import { look } from './look.ts'
import { reachScript } from './scripts.ts'
import { openSieve } from './sieve/sieve.ts'
import { idsAt, knownAt, noneKnown } from './some-ids.ts'

export interface RedisFilterNeeds {
  readonly redis: RedisSettings
  readonly installation: string
  readonly logger: Logger
  /** Called with the number of ids that passed without being looked up. */
  readonly skipped: (ids: number) => void
  /** From how many questions a second on it follows what is marked, to ask less; 500 by default. */
  readonly sievesFrom?: number
}

/** How long the filter waits for each script's worth of ids; it can do without an answer. */
const scriptMs = 20

/** More ids share what a script costs, in this process and in Redis, while scripts are frequent. */
const gatherMs = 2

/** How long the start waits for Redis; the edge works without it. */
const openMs = 500

/**
 * The edge's end of the dedupe in Redis: it only reads. It also opens while Redis is away, and
 * until Redis is there it answers that no id is known.
 */
export async function openRedisFilter(needs: RedisFilterNeeds): Promise<DedupeFilter> {
  const { redis, installation, logger, skipped, sievesFrom = 500 } = needs
  const connection = openRedis({ settings: redis, logger, name: 'sluice-filter' })
  const keys = dedupeKeys(installation, connection.clustered)
  const lanes = new Map<Partition, ReturnType<typeof openLane>>()
  const sieve = openSieve({ connection, keys, logger, questionsPerSecond: sievesFrom })
  await connection.settled(openMs)
  return { known, reached, close }

  function known(partition: Partition, namespace: string, ids: Fingerprints): Promise<Known> {
    const question = { partition, namespace, ids }
    if (!connection.ready()) return Promise.resolve(skip(question))
    const doubted = sieve.doubted(question)
    if (doubted === null) return laneFor(partition).ask(question)
    if (doubted.length === 0) return Promise.resolve(noneKnown(ids))
    return knownOf(question, doubted)
  }

  /** Asks about some of the ids; the others are unknown. */
  async function knownOf(question: KnownQuestion, places: readonly number[]): Promise<Known> {
    const { ids, partition } = question
    const found = await laneFor(partition).ask({ ...question, ids: idsAt(ids, places) })
    return knownAt(ids, places, found)
  }

  async function close(): Promise<void> {
    const closed = sieve.close()
    connection.close()
    await closed
  }

  async function reached(of: readonly Filling[]): Promise<readonly (Offset | null)[]> {
    if (of.length === 0) return []
    // In a cluster each partition is asked by itself, since one of the servers can be away.
    const asked = connection.clustered ? of.map((one) => [one]) : [of]
    const ends = await Promise.all(asked.map((some) => endsOf(some)))
    return ends.flat()
  }

  async function endsOf(of: readonly Filling[]): Promise<readonly (Offset | null)[]> {
    const on = keys.of(of.map(({ partition }) => partition))
    const names = of.map(({ namespace }) => namespace)
    const reply = await connection.run(reachScript, on, names).catch(() => null)
    const ends: readonly unknown[] = Array.isArray(reply) ? reply : []
    return of.map((_, index) => {
      const end = String(ends[index] ?? '')
      return end === '' ? null : Number(end)
    })
  }

  /**
   * Partitions of a cluster have a lane each, since they lie on several servers and one can be
   * away.
   */
  function laneFor(partition: Partition): ReturnType<typeof openLane> {
    const place = connection.clustered ? partition : 0
    const open = lanes.get(place)
    if (open !== undefined) return open
    const lane = openLane(connection)
    lanes.set(place, lane)
    return lane
  }

  function openLane(to: RedisConnection) {
    return laneOf<KnownQuestion, Known>({
      budgetMs: (questions) => scriptMs * Math.max(1, Math.ceil(idsOf(questions) / idsPerScript)),
      give: skip,
      ask: (questions) => look(to, keys, questions),
      gatherMs,
    })
  }

  function skip({ ids }: KnownQuestion): Known {
    skipped(ids.length / fingerprintWords)
    return noneKnown(ids)
  }
}

const idsOf = (questions: readonly KnownQuestion[]): number =>
  questions.reduce((sum, { ids }) => sum + ids.length / fingerprintWords, 0)
