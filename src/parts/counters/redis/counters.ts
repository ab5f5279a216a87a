import { limits } from '../../../limits.ts'
import type { RateTier } from '../../../rules/commerce/rate-tier.ts'
import type { Counted, RateWindows } from '../../../rules/commerce/rate-windows.ts'
import { countedOf, hasRoom, windowsAt } from '../../../rules/commerce/rate-windows.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { shelf } from '../../../std/shelf.ts'
import { laneOf } from '../../lane.ts'
import { openRedis } from '../../redis.ts'
import { installationTag } from '../../redis-keys.ts'
import type { RedisSettings } from '../../redis-settings.ts'
import type { Counters, Subject } from '../port.ts'
import type { RateQuestion } from './take-together.ts'
import { giveOneBack, takeTogether } from './take-together.ts'

export interface RedisCountersNeeds {
  readonly redis: RedisSettings
  readonly installation: string
  readonly logger: Logger
  /** This process's own counters, used for as long as Redis does not answer. */
  readonly alone: Counters
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
 * The counters of all processes that share a Redis. They ask Redis about every request that may
 * pass, so the counts are exact; questions that arise during a call go together with the next call.
 * That a window is exhausted is remembered here until it ends, so a flood of refused requests costs
 * Redis nothing.
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
  const lanes = Array.from({ length: connection.clustered ? lanesMax : 1 }, openLane)
  await connection.settled(openMs)
  return { take, giveBack, seen: alone.seen, close: async () => connection.close() }

  function placeOf({ name, scope }: Subject): { readonly lane: number; readonly key: string } {
    const lane = laneOfName(name, lanes.length)
    return { lane, key: `sluice:{${digest}:r${lane}}:${scope[0]}:${name}` }
  }

  function giveBack(subject: Subject, tier: RateTier): void {
    alone.giveBack(subject, tier)
    if (connection.ready()) giveOneBack({ connection }, { key: placeOf(subject).key, tier })
  }

  function take(subject: Subject, tier: RateTier): Counted | Promise<Counted> {
    const { key, lane } = placeOf(subject)
    const now = nowMs()
    const refused = full.find(key, now)
    if (refused !== null) {
      const windows = windowsAt(refused, now)
      if (!hasRoom(windows, tier)) return countedOf(windows, tier, { passed: false, now })
    }
    if (!connection.ready() || !shared(subject, now)) return alone.take(subject, tier)
    return lanes[lane]?.ask({ key, tier }).then(counted) ?? alone.take(subject, tier)

    function counted(answer: Counted | null): Counted | Promise<Counted> {
      if (answer === null) return alone.take(subject, tier)
      // Counted in this process too, because Redis may be gone at the next request.
      if (answer.passed) alone.take(subject, tier)
      return answer
    }
  }

  function openLane() {
    return laneOf<RateQuestion, Counted | null>({
      gatherMs,
      budgetMs: () => needs.answerMs ?? limits.rateAnswerMs,
      give: () => null,
      ask: (questions) =>
        takeTogether(
          { connection, nowMs, exhausted: (key, windows) => full.put(key, windows, nowMs()) },
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
