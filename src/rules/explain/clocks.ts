import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'

// An explanation speaks of two clocks: a test clock moves the business's time, never that of the
// machines. So every time in it names its own clock.

/** For the business's own times: timestamps, cycles, entries, voids. */
export const businessTime = (at: Instant): string => `${formatInstant(at)} (business time)`

/** For what happened on the machines, whatever a test clock says: receipt, ends, webhooks. */
export const inMachineTime = (at: Instant): string => `${formatInstant(at)} (machine time)`
