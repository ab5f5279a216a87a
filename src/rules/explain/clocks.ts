import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'

// Two clocks stand in one explanation: a test clock moves the business's, never the machines'.
// Every time that is told names its own.

/** Of what the business lives by: timestamps, cycles, entries, voids. */
export const businessTime = (at: Instant): string => `${formatInstant(at)} (business time)`

/** Of what happened on the machines, whatever a test clock says: receipt, ends, webhooks. */
export const inMachineTime = (at: Instant): string => `${formatInstant(at)} (machine time)`
