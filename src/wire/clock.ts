import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'

/** How far the test clock moves. [resources#routes-of-ours] */
export interface ClockAdvance {
  /** An ISO 8601 duration. */
  readonly by: string
}

export const clockAdvance = schema<ClockAdvance>({
  type: 'object',
  required: ['by'],
  properties: { by: { type: 'string', minLength: 1, maxLength: 64 } },
})

/** What the test clock says now. */
export const clockView = (now: Instant) => ({ now: formatInstant(now) })
