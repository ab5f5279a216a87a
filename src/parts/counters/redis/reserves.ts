import { limits } from '../../../limits.ts'
import type { RateTier } from '../../../rules/commerce/rate-tier.ts'
import type { Counted, RateWindows } from '../../../rules/commerce/rate-windows.ts'
import { countedOf } from '../../../rules/commerce/rate-windows.ts'
import type { Subject } from '../port.ts'

/** Requests of one key that Redis has counted, and that may pass in this process without asking. */
export interface Reserve {
  readonly key: string
  readonly subject: Subject
  readonly tier: RateTier
  readonly count: number
  /** The windows before the first of them passes, by this process's clock. */
  readonly windows: RateWindows
  /** When the windows end by Redis's clock, which tells them from later ones. */
  readonly ends: readonly [burst: number, sustained: number]
}

export interface Reserves {
  /** How many to set aside for a key of which so many ask; 0 where its tier is small. */
  wanted(key: string, tier: RateTier, asked: number): number
  keep(reserve: Reserve): void
  /** Lets one request pass; null: nothing is left for it. */
  take(key: string, tier: RateTier): Counted | null
  /** Puts back what has not been used, whether or not its time is over. */
  close(): void
}

export interface ReservesNeeds {
  readonly nowMs: () => number
  /** Puts back what was not used of some that are over, at once. */
  readonly putBack: (unused: readonly Reserve[]) => void
  /** So many requests of this subject have passed without being asked about. */
  readonly passed: (subject: Subject, count: number) => void
}

interface Held {
  readonly reserve: Reserve
  readonly endsAt: number
  used: number
}

/**
 * What this process has set aside. It asks for as many as were used in the time before, twice as
 * many where they did not last; so where hundreds of requests a second come, it asks some twenty
 * times.
 */
export function openReserves({ nowMs, putBack, passed }: ReservesNeeds): Reserves {
  let held = new Map<string, Held>()
  // How many were wanted of late.
  let wants = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  return { wanted, keep, take, close }

  function wanted(key: string, { burst }: RateTier, asked: number): number {
    if (burst < limits.rateReservingBurstMin) return 0
    return Math.max(asked, Math.min(usedOf(key, asked), limits.rateReservedMax))
  }

  /** How many may be used in as long a time as the last. */
  function usedOf(key: string, asked: number): number {
    const own = held.get(key)
    if (own === undefined) return wants.get(key) ?? asked
    const { count } = own.reserve
    return own.used < count ? own.used : 2 * (count + asked)
  }

  function keep(reserve: Reserve): void {
    const { burst, sustained } = reserve.windows
    const before = held.get(reserve.key)
    if (before !== undefined) over([before])
    const endsAt = Math.min(nowMs() + limits.rateReservedMs, burst.endsAt, sustained.endsAt)
    held.set(reserve.key, { reserve, endsAt, used: 0 })
    timer ??= setTimeout(turn, limits.rateReservedMs)
  }

  function take(key: string, tier: RateTier): Counted | null {
    const own = held.get(key)
    if (own === undefined) return null
    const { count, tier: given, windows } = own.reserve
    const now = nowMs()
    if (own.used >= count || now >= own.endsAt || !sameTier(given, tier)) return null
    own.used += 1
    const { burst, sustained } = windows
    const after = {
      burst: { count: burst.count + own.used, endsAt: burst.endsAt },
      sustained: { count: sustained.count + own.used, endsAt: sustained.endsAt },
    }
    return countedOf(after, tier, { passed: true, now })
  }

  function turn(): void {
    const now = nowMs()
    const [ended, others] = [[] as Held[], new Map<string, Held>()]
    wants = new Map()
    for (const [key, own] of held) {
      if (own.endsAt > now) others.set(key, own)
      else ended.push(own)
    }
    held = others
    for (const { reserve, used } of ended) wants.set(reserve.key, used)
    over(ended)
    timer = held.size === 0 ? null : setTimeout(turn, limits.rateReservedMs / 2)
  }

  function over(ended: readonly Held[]): void {
    for (const { reserve, used } of ended) {
      if (used > 0) passed(reserve.subject, used)
    }
    const unused = ended
      .filter(({ reserve, used }) => used < reserve.count)
      .map(({ reserve, used }) => ({ ...reserve, count: reserve.count - used }))
    if (unused.length > 0) putBack(unused)
  }

  function close(): void {
    if (timer !== null) clearTimeout(timer)
    over([...held.values()])
    held = new Map()
  }
}

export const sameTier = (one: RateTier, other: RateTier): boolean =>
  one.burst === other.burst && one.sustained === other.sustained
