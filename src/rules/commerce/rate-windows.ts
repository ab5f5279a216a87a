import { limits } from '../../limits.ts'
import type { RateTier } from './rate-tier.ts'

/**
 * The two windows of a business or an address. Each begins with the first request that passes after
 * the window before it has ended, so that it lets exactly its limit pass, whenever it begins.
 * Moments are in ms, by whatever clock the counters use. [requests#limits]
 */
export interface RateWindows {
  readonly burst: RateWindow
  readonly sustained: RateWindow
}

export interface RateWindow {
  /** Requests that have passed. */
  readonly count: number
  readonly endsAt: number
}

/** Whether one request passed, and how the windows stand after it. */
export interface Counted {
  readonly passed: boolean
  readonly burst: Room
  readonly sustained: Room
}

/** What is left of one window after the request. */
export interface Room {
  /** How many requests it still lets pass. */
  readonly left: number
  /** In ms. */
  readonly endsIn: number
}

/**
 * The windows as they are at `now`: those that have ended begin anew. Null: nobody has come yet.
 */
export function windowsAt(windows: RateWindows | null, now: number): RateWindows {
  return {
    burst: windowAt(windows?.burst, now, limits.rateBurstMs),
    sustained: windowAt(windows?.sustained, now, limits.rateSustainedMs),
  }
}

function windowAt(window: RateWindow | undefined, now: number, length: number): RateWindow {
  return window === undefined || window.endsAt <= now ? { count: 0, endsAt: now + length } : window
}

/** Whether one more request may pass. */
export const hasRoom = ({ burst, sustained }: RateWindows, tier: RateTier): boolean =>
  burst.count < tier.burst && sustained.count < tier.sustained

/** What a tier leaves of the windows, after a request that has passed or has not. */
export function countedOf(
  { burst, sustained }: RateWindows,
  tier: RateTier,
  { passed, now }: { readonly passed: boolean; readonly now: number },
): Counted {
  return {
    passed,
    burst: { left: leftOf(burst, tier.burst), endsIn: burst.endsAt - now },
    sustained: { left: leftOf(sustained, tier.sustained), endsIn: sustained.endsAt - now },
  }
}

/** Not below 0: the tier may have been lowered during the window. */
const leftOf = ({ count }: RateWindow, limit: number): number => Math.max(0, limit - count)

/** What the caller is told with every answer. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds. */
  readonly resetSeconds: number
}

/** Shows the window that is nearer to its limit; where both are equally near, the longer one. */
export function standingOf({ burst, sustained }: Counted, tier: RateTier): RateStanding {
  const [room, limit] =
    burst.left < sustained.left ? [burst, tier.burst] : [sustained, tier.sustained]
  return { limit, remaining: room.left, resetSeconds: wholeSeconds(room.endsIn) }
}

/** After how many seconds a refused request may pass: when the longest exhausted window ends. */
export const retryAfterOf = ({ burst, sustained }: Counted): number =>
  wholeSeconds(sustained.left === 0 ? sustained.endsIn : burst.endsIn)

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))
