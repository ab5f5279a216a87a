import type { Credits } from '../../../../rules/accounts/credits.ts'
import { parseCredits } from '../../../../rules/accounts/credits.ts'
import type { Instant } from '../../../../std/instant.ts'
import { parseInstant } from '../../../../std/instant.ts'

/** A timestamptz out of a jsonb document: `2026-01-31T12:00:00.123456+00:00`. */
export function instantFrom(text: string): Instant {
  const at = parseInstant(text)
  if (at === null) throw new Error(`The store answered a timestamp that cannot be read: ${text}`)
  return at
}

export const instantOrNull = (text: string | null): Instant | null =>
  text === null ? null : instantFrom(text)

/**
 * Reads a numeric of credits. It always has the entitlement's precision, or the books are broken.
 */
export function creditsFrom(text: string, precision: number): Credits {
  const value = parseCredits(text, precision)
  if (value === null) throw new Error('The store holds credits finer than their precision.')
  return value
}

/** Bytes as a jsonb document carries them into a bytea. */
export const byteaText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`
