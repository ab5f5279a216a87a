import type { Logger } from '../../../../runtime/logger.ts'
import { loop } from '../../../../runtime/loop.ts'
import type { Partition } from '../../../event-log/port.ts'
import type { RedisConnection } from '../../../redis.ts'
import type { DedupeKeys } from '../keys.ts'
import type { KnownQuestion } from '../look.ts'
import { newsScript } from '../scripts.ts'
import { openBusy } from './busy.ts'
import { idsMax, roomOfProcess } from './layers.ts'
import { pourAll } from './loading.ts'
import type { News } from './news.ts'
import { newsOf, unheard } from './news.ts'
import type { PartitionSieve } from './partition.ts'
import { openPartitionSieve } from './partition.ts'

export interface SieveNeeds {
  readonly connection: RedisConnection
  readonly keys: DedupeKeys
  readonly logger: Logger
  /** From how many questions a second on it pays to know the answers here. */
  readonly questionsPerSecond: number
}

/** Says which ids were surely never marked, so that Redis need not be asked about them. */
export interface DedupeSieve {
  /** The places of the ids about which Redis must be asked; null: about all of them. */
  doubted(question: KnownQuestion): readonly number[] | null
  close(): Promise<void>
}

/** How often it asks what was marked, and how long ago it may have asked when it answers. */
const [newsMs, freshMs] = [25, 100]
/** The pause while questions are rare. */
const idleMs = 1_000
/** After it has lost its way in a partition it begins there again, so much later at least. */
const [againMs, againMaxMs] = [1_000, 60_000]

/** A partition about which questions came. */
interface Followed {
  readonly partition: Partition
  readonly namespace: string
  sieve: PartitionSieve | null
  /** When the last news were asked for, and when it began. */
  heardAt: number
  begunAt: number
  /** It does not begin before, and the next time not before a pause has passed. */
  beginsAt: number
  pauseMs: number
}

interface Heard {
  readonly one: Followed
  /** Null: Redis holds another namespace. */
  readonly news: News | null
  readonly askedAt: number
}

/**
 * Follows the partitions that it is asked about while that is often: reads all ids that were
 * marked, and hears of those that are marked meanwhile.
 */
export function openSieve(needs: SieveNeeds): DedupeSieve {
  const { connection, keys, logger, questionsPerSecond } = needs
  const followed: (Followed | undefined)[] = []
  const room = roomOfProcess()
  const busy = openBusy(questionsPerSecond)
  let loading: Promise<void> = Promise.resolve()
  const hearing = loop({
    name: 'dedupe sieve',
    work: hearAll,
    idleMs: () => (busy.isSo(performance.now()) ? newsMs : idleMs),
    logger,
  })
  hearing.start()
  return { doubted, close }

  function doubted({ ids, namespace, partition }: KnownQuestion): readonly number[] | null {
    const now = performance.now()
    if (!busy.asked(now)) return null
    const one = followed[partition]
    if (one?.namespace === namespace) {
      return now - one.heardAt > freshMs ? null : (one.sieve?.doubted(ids) ?? null)
    }
    if (one !== undefined) drop(one)
    const times = { heardAt: 0, begunAt: 0, beginsAt: 0, pauseMs: againMs }
    followed[partition] = { partition, namespace, sieve: null, ...times }
    hearing.nudge()
    return null
  }

  async function hearAll(): Promise<boolean> {
    if (!busy.isSo(performance.now())) forgetAll()
    const all = followed.flatMap((one) => one ?? [])
    if (all.length === 0 || !connection.ready()) return false
    // In a cluster each partition is asked by itself, since one of the servers can be away.
    const asked = connection.clustered ? all.map((one) => [one]) : [all]
    const heard = (await Promise.all(asked.map(hear))).flat()
    const count = heard.reduce((sum, { news }) => sum + (news?.count ?? 0), 0)
    for (const each of heard) take(each, count)
    return false
  }

  /** Answers nothing about those whose server does not answer. */
  async function hear(some: readonly Followed[]): Promise<readonly Heard[]> {
    const askedAt = performance.now()
    const on = keys.of(some.map(({ partition }) => partition))
    const rest = some.flatMap(({ namespace, sieve }) => [namespace, sieve?.told() ?? unheard])
    const reply = await connection.run(newsScript, on, rest).catch(() => null)
    if (!Array.isArray(reply)) return []
    const news = reply.map(newsOf)
    return some.map((one, index) => ({ one, news: news[index] ?? null, askedAt }))
  }

  function take({ askedAt, news, one }: Heard, count: number): void {
    if (followed[one.partition] !== one) return
    if (one.sieve === null) {
      if (news !== null && askedAt >= one.beginsAt && count <= idsMax) begin(one, news)
      return
    }
    if (news === null || count > idsMax || !one.sieve.hear(news)) {
      lose(one)
      return
    }
    one.heardAt = askedAt
    if (askedAt - one.begunAt > againMaxMs) one.pauseMs = againMs
  }

  function begin(one: Followed, news: News): void {
    const sieve = openPartitionSieve(news, room)
    one.sieve = sieve
    one.begunAt = performance.now()
    const isWanted = () => one.sieve === sieve
    const { filling, newest, synced } = news
    const { partition } = one
    const of = { partition, into: sieve, filling, synced, newest: newest ?? -1, isWanted }
    loading = loading.then(async () => {
      const isLoaded = await pourAll({ connection, keys }, of).catch(() => false)
      if (!isWanted()) return
      if (isLoaded) sieve.fill()
      else lose(one)
    })
  }

  function lose(one: Followed): void {
    drop(one)
    one.beginsAt = performance.now() + one.pauseMs
    one.pauseMs = Math.min(againMaxMs, one.pauseMs * 2)
  }

  function drop(one: Followed): void {
    one.sieve?.drop()
    one.sieve = null
  }

  function forgetAll(): void {
    for (const one of followed) if (one !== undefined) drop(one)
    followed.length = 0
  }

  async function close(): Promise<void> {
    forgetAll()
    await hearing.stop()
    await loading
  }
}
