import { describe, expect, it } from 'vitest'
import type { UpstreamAnswer } from '../../src/sidecar/verdict.ts'
import { verdictOf } from '../../src/sidecar/verdict.ts'

const json = (code: string, message: string): string => JSON.stringify({ code, message })
const strange = "events[2].customer_id: there is no customer 'x'."

function judged(
  status: number,
  text: string,
  headers: Partial<Pick<UpstreamAnswer, 'retryAfter' | 'backfill' | 'refused'>> = {},
) {
  const { retryAfter = null, backfill = null, refused = null } = headers
  return verdictOf({ status, text, retryAfter, backfill, refused }, 5, 1_000_000)
}

describe('an answer of the gateway', () => {
  it('takes the events by its own 200 alone', () => {
    expect(judged(200, '{"ingested_count":0}')).toEqual({ kind: 'taken', backfillSeconds: null })
    const longer = judged(200, '{"ingested_count":5}', { backfill: '7200' })
    expect(longer).toEqual({ kind: 'taken', backfillSeconds: 7_200 })
    for (const text of ['', 'Please log in', '{}', '[]', 'null', '{"ingested_count":"5"}']) {
      expect(judged(200, text).kind).toBe('later')
    }
    expect(judged(204, '').kind).toBe('later')
    expect(judged(302, '').kind).toBe('later')
  })

  it('refuses for good an event that it names', () => {
    for (const status of [400, 404, 409, 410, 422]) {
      const verdict = judged(status, json('NOT_FOUND', strange))
      expect(verdict).toMatchObject({ kind: 'refused', indexes: [2], reason: { status } })
    }
  })

  it('refuses all that it names, where the first of them is one', () => {
    const old = json('EVENT_TIMESTAMP_OUT_OF_RANGE', 'events[1].timestamp must lie …')
    const indexes = (refused: string) => judged(400, old, { refused })
    expect(indexes('1, 3-9')).toMatchObject({ kind: 'refused', indexes: [1, 3, 4] })
    expect(indexes('3-4')).toMatchObject({ kind: 'refused', indexes: [1] })
    expect(indexes('all')).toMatchObject({ kind: 'refused', indexes: [1] })
  })

  it.each([
    [401, json('UNAUTHORIZED', strange)],
    [403, json('UNAUTHORIZED', strange)],
    [408, json('REQUEST_TIMEOUT', strange)],
    [429, json('TOO_MANY_REQUESTS', strange)],
    [500, json('INTERNAL_SERVER_ERROR', strange)],
    [503, json('UNAVAILABLE', strange)],
    [404, json('NOT_FOUND', 'There is no route POST /x/events/ingest.')],
    [404, '<html>events[2]</html>'],
    [400, '{"message":"events[2] is wrong."}'],
    [422, json('INVALID_REQUEST_BODY', 'events[5].event_id is required.')],
    [415, json('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON.')],
  ])('keeps events for later after %i %s', (status, text) => {
    expect(judged(status, text).kind).toBe('later')
  })

  it('tells of requests that are too large', () => {
    expect(judged(413, '<html>413</html>')).toMatchObject({ kind: 'too large' })
  })

  it('says when to come again, in seconds or by a date', () => {
    const waits = (retryAfter: string) => judged(503, '', { retryAfter })
    expect(waits('7')).toMatchObject({ retryAfterMs: 7_000 })
    expect(waits('Thu, 01 Jan 1970 00:16:45 GMT')).toMatchObject({ retryAfterMs: 5_000 })
    expect(waits('Thu, 01 Jan 1970 00:00:00 GMT')).toMatchObject({ retryAfterMs: 0 })
    expect(waits('soon')).toMatchObject({ retryAfterMs: null })
  })
})
