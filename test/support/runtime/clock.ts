import type { BelievedClock } from '../../../src/runtime/clock.ts'
import type { Instant } from '../../../src/std/instant.ts'

/**
 * A clock that a test sets, and that is believed at once, as test clocks are. [guarantees#clocks]
 */
export const clockOf = (now: () => Instant): BelievedClock => ({ now, believed: now })
