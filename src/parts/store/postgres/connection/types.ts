import assert from 'node:assert/strict'
import type { Instant } from '../../../../std/instant.ts'
import { parseInstant } from '../../../../std/instant.ts'

type Parser = (text: string) => unknown

/**
 * How values are read, by the number of their PostgreSQL type: timestamptz as Instant (µs), int8 as
 * number (refused beyond 2^53), numeric as text, json parsed.
 */
export const parserOf =
  (textArray: Parser) =>
  (oid: number): Parser => {
    switch (oid) {
      case 20: // int8
        return safeInteger
      case 21:
      case 23:
        return Number
      case 16:
        return (text) => text === 't'
      case 17: // bytea
        return (text) => Buffer.from(text.slice(2), 'hex')
      case 114:
      case 3802:
        return (text) => JSON.parse(text) as unknown
      case 1184:
        return timestamp
      case 1009: // text[]
        return textArray
      default:
        return (text) => text
    }
  }

function safeInteger(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), 'An int8 of the store is beyond 2^53.')
  return value
}

/** `2026-01-31 12:00:00.123456+00`, as the server writes it with timezone UTC. */
function timestamp(text: string): Instant {
  const at = parseInstant(`${text.slice(0, 10)}T${text.slice(11)}:00`)
  assert(at !== null, `The store answered a timestamp that cannot be read: ${text}`)
  return at
}
