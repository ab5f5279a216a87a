import assert from 'node:assert/strict'
import type { LogTimeRange } from '../../../../rules/meter/meter.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant, parseInstant } from '../../../../std/instant.ts'

/** A stretch of log time in a jsonb column: UTC texts of one length, which sort like times. */
export interface StoredRange {
  readonly from: string
  readonly to: string | null
}

export const storedRange = ({ from, to }: LogTimeRange): StoredRange => ({
  from: formatInstant(from),
  to: to === null ? null : formatInstant(to),
})

export function rangesOf(stored: readonly StoredRange[]): readonly LogTimeRange[] {
  return stored.map(({ from, to }) => ({ from: read(from), to: to === null ? null : read(to) }))
}

function read(text: string): Instant {
  const at = parseInstant(text)
  assert(at !== null)
  return at
}
