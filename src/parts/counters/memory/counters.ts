import { limits } from '../../../limits.ts'
import type { RateTier } from '../../../rules/commerce/rate-tier.ts'
import type { Counted, RateWindow, RateWindows } from '../../../rules/commerce/rate-windows.ts'
import { countedOf, hasRoom, windowsAt } from '../../../rules/commerce/rate-windows.ts'
import { shelf } from '../../../std/shelf.ts'
import type { OwnCounters, Subject } from '../port.ts'

/** Counters in this process's memory: they answer at once, never with a promise. */
export interface MemoryCounters extends OwnCounters {
  take(subject: Subject, tier: RateTier): Counted
}

export interface MemoryCountersNeeds {
  /** A clock in whole milliseconds that no step of the wall clock moves. */
  readonly nowMs: () => number
}

const keptMs = limits.rateSustainedMs

/** The counters of one process. */
export function memoryCounters({ nowMs }: MemoryCountersNeeds): MemoryCounters {
  // Businesses are never forgotten early, so addresses without a key cannot displace them.
  const shelves = {
    business: shelf<RateWindows>({ keptMs, most: Number.POSITIVE_INFINITY }),
    address: shelf<RateWindows>({ keptMs, most: limits.rateAddressesMax }),
    page: shelf<RateWindows>({ keptMs, most: limits.rateAddressesMax }),
  }
  return {
    take,
    add,
    giveBack: (subject) => add(subject, -1),
    seen,
    close: () => Promise.resolve(),
  }

  function take({ scope, name }: Subject, tier: RateTier): Counted {
    const [kept, now] = [shelves[scope], nowMs()]
    const open = windowsAt(kept.find(name, now), now)
    if (!hasRoom(open, tier)) return countedOf(open, tier, { passed: false, now })
    const windows = {
      burst: { count: open.burst.count + 1, endsAt: open.burst.endsAt },
      sustained: { count: open.sustained.count + 1, endsAt: open.sustained.endsAt },
    }
    kept.put(name, windows, now)
    return countedOf(windows, tier, { passed: true, now })
  }

  function add({ scope, name }: Subject, count: number): void {
    const now = nowMs()
    const { burst, sustained } = windowsAt(shelves[scope].find(name, now), now)
    const more = (window: RateWindow): RateWindow => ({
      count: Math.max(0, window.count + count),
      endsAt: window.endsAt,
    })
    shelves[scope].put(name, { burst: more(burst), sustained: more(sustained) }, now)
  }

  function seen({ scope, name }: Subject, tier: RateTier): Counted {
    const now = nowMs()
    const windows = windowsAt(shelves[scope].find(name, now), now)
    return countedOf(windows, tier, { passed: hasRoom(windows, tier), now })
  }
}
