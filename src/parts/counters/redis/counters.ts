import { limits } from '../../../limits.ts'
import type { RateTier } from '../../../rules/commerce/rate-tier.ts'
import type { Counted, RateWindows } from '../../../rules/commerce/rate-windows.ts'
import { countedOf, hasRoom, windowsAt } from '../../../rules/commerce/rate-windows.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { pauseFor } from '../../../runtime/pause.ts'
import { shelf } from '../../../std/shelf.ts'
import { laneOf } from '../../lane.ts'
import { openRedis } from '../../redis.ts'
import { installationTag } from '../../redis-keys.ts'
import type { RedisSettings } from '../../redis-settings.ts'
import type { Counters, OwnCounters, Subject } from '../port.ts'
import type { Reserve } from './reserves.ts'
import { openReserves } from './reserves.ts'
import type { RateAnswer, RateQuestion } from './take-together.ts'
import { giveOneBack, putBack, takeTogether } from './take-together.ts'

export interface RedisCountersNeeds {
  readonly redis: RedisSettings
  readonly installation: string
  readonly logger: Logger
  /** This process's own counters, used for as long as Redis does not answer. */
  readonly alone: OwnCounters
  /** A clock in whole milliseconds that no step of the wall clock moves. */
  readonly nowMs: () => number
  /** How long to wait for an answer of Redis. */
  readonly answerMs?: number
}

/** How long the start waits for Redis. Without Redis the limits hold in each process by itself. */
const openMs = 500

/** At most some 300 calls a second, however many requests there are: a fiftieth of a core. */
const gatherMs = 4

/**
 * In a cluster: into how many groups subjects are divided, since they may lie on different servers.
 */
const lanesMax = 16

/**
 * The counters of all processes that share a Redis. They ask Redis about requests that may pass, so
 * the counts are exact; questions that arise during a call go together with the next call. Where a
 * window is wide and more than half of it left, some are set aside for a moment and need no
 * question. That a window is exhausted is remembered here until it ends, so a flood of refused
 * requests costs Redis nothing.
 */
export async function openRedisCounters(needs: RedisCountersNeeds): Promise<Counters> {
  const { redis, installation, logger, alone, nowMs } = needs
  const connection = openRedis({ settings: redis, logger, name: 'sluice-counters' })
  const digest = installationTag(installation)
  const full = shelf<RateWindows>({
    keptMs: limits.rateSustainedMs,
    most: limits.rateSharedAddressesMax,
  })
  const shared = sharedAddresses()
  const reserves = openReserves({
    nowMs,
    passed: alone.add,
    putBack: (unused) => {
      if (connection.ready()) for (const lane of lanesOf(unused)) putBack({ connection }, lane)
    },
  })
  const lanes = Array.from({ length: connection.clustered ? lanesMax : 1 }, openLane)
  await connection.settled(openMs)
  return { take, giveBack, seen: alone.seen, close }

  async function close(): Promise<void> {
    reserves.close()
    connection.close()
  }

  function placeOf({ name, scope }: Subject): { readonly lane: number; readonly key: string } {
    const lane = laneOfName(name, lanes.length)
    return { lane, key: `sluice:{${digest}:r${lane}}:${scope[0]}:${name}` }
  }

  /** Those of one lane lie on one server. */
  function lanesOf(unused: readonly Reserve[]): readonly (readonly Reserve[])[] {
    const byLane = Array.from({ length: lanes.length }, (): Reserve[] => [])
    for (const one of unused) byLane[placeOf(one.subject).lane]?.push(one)
    return byLane.filter((lane) => lane.length > 0)
  }

  function giveBack(subject: Subject, tier: RateTier): void {
    alone.giveBack(subject, tier)
    if (connection.ready()) giveOneBack({ connection }, { key: placeOf(subject).key, tier })
  }

  function take(subject: Subject, tier: RateTier): Counted | Promise<Counted> {
    const { key, lane } = placeOf(subject)
    const aside = reserves.take(key, tier)
    if (aside !== null) return aside
    const now = nowMs()
    const refused = full.find(key, now)
    if (refused !== null) {
      const windows = windowsAt(refused, now)
      if (!hasRoom(windows, tier)) return countedOf(windows, tier, { passed: false, now })
    }
    if (!connection.ready() || !shared(subject, now)) return alone.take(subject, tier)
    const question = { key, subject, tier }
    return lanes[lane]?.ask(question).then(judged) ?? alone.take(subject, tier)

    async function judged(answer: RateAnswer | null): Promise<Counted> {
      if (answer === null || answer.againInMs === 0) return counted(answer)
      // By then others have put back what they had set aside.
      await pauseFor(answer.againInMs + 1)
      return counted((await lanes[lane]?.ask(question)) ?? null)
    }

    function counted(answer: RateAnswer | null): Counted | Promise<Counted> {
      if (answer === null) return alone.take(subject, tier)
      // Counted in this process too, because Redis may be gone at the next request.
      if (answer.counted.passed) alone.take(subject, tier)
      return answer.counted
    }
  }

  function openLane() {
    return laneOf<RateQuestion, RateAnswer | null>({
      gatherMs,
      budgetMs: () => needs.answerMs ?? limits.rateAnswerMs,
      give: () => null,
      ask: (questions) =>
        takeTogether(
          {
            connection,
            nowMs,
            reserves,
            exhausted: (key, windows) => full.put(key, windows, nowMs()),
          },
          questions,
        ),
    })
  }
}

/** Whether an address is counted in Redis. Bounded, so that strangers cannot fill Redis up. */
function sharedAddresses(): (subject: Subject, now: number) => boolean {
  let names = new Set<string>()
  let since = Number.NEGATIVE_INFINITY
  return ({ scope, name }, now) => {
    if (scope === 'business') return true
    if (now - since >= limits.rateSustainedMs) {
      names = new Set()
      since = now
    }
    if (names.size >= limits.rateSharedAddressesMax) return names.has(name)
    names.add(name)
    return true
  }
}

function laneOfName(name: string, lanes: number): number {
  if (lanes === 1) return 0
  let sum = 0
  for (let index = 0; index < name.length; index += 1) sum += name.charCodeAt(index)
  return sum % lanes
}
