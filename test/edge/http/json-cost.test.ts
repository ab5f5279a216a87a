import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/edge/http/json.ts'
import { refuseCostly } from '../../../src/edge/http/json-cost.ts'
import { limits } from '../../../src/limits.ts'

const { jsonDepthMax, jsonEntriesMax, jsonNamesMax, jsonOpenedMax } = limits

const refusal = (text: string): string | null => {
  try {
    refuseCostly(Buffer.from(text))
    return null
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_REQUEST_BODY' })
    return error instanceof Error ? error.message : ''
  }
}

const listOf = (count: number, entry = '1'): string => `[${Array(count).fill(entry).join(',')}]`

const objectOf = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))

describe('what a body costs', () => {
  it('is bounded by the entries of one list and of one object', () => {
    expect(refusal(listOf(jsonEntriesMax))).toBeNull()
    expect(refusal(listOf(jsonEntriesMax + 1))).toContain(`${jsonEntriesMax} entries`)
    expect(refusal(objectOf(jsonEntriesMax))).toBeNull()
    expect(refusal(objectOf(jsonEntriesMax + 1))).toContain(`${jsonEntriesMax} entries`)
  })

  it('counts each list by itself, whatever stands in it', () => {
    const half = listOf(jsonEntriesMax / 2)
    expect(refusal(`{"a":${half},"b":${half},"c":[${half},${half},${half}]}`)).toBeNull()
    const around = `[${listOf(3)},${listOf(jsonEntriesMax, listOf(2))},1]`
    expect(refusal(around)).toBeNull()
    const behind = `[${`${listOf(2)},`.repeat(jsonEntriesMax)}1]`
    expect(refusal(behind)).toContain('entries')
  })

  it('is bounded by the lists and objects together', () => {
    const many = (lists: number): string => listOf(lists, listOf(1_000, '{}'))
    const most = Math.floor((jsonOpenedMax - 1) / 1_001)
    expect(refusal(many(most))).toBeNull()
    expect(refusal(many(most + 1))).toContain(`${jsonOpenedMax} lists and objects`)
    expect(refusal(listOf(1_900, listOf(1_000)))).toBeNull()
  })

  it('is bounded by the names of all objects', () => {
    const many = (objects: number): string => listOf(objects, objectOf(64))
    expect(refusal(many(jsonNamesMax / 64))).toBeNull()
    expect(refusal(many(jsonNamesMax / 64 + 1))).toContain(`${jsonNamesMax} names`)
  })

  it('is bounded by how deep it is nested', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(refusal(nested(jsonDepthMax))).toBeNull()
    expect(refusal(nested(jsonDepthMax + 1))).toContain(`${jsonDepthMax} levels`)
  })

  it('does not count what stands in texts', () => {
    const text = JSON.stringify({ a: ':,"[{'.repeat(70_000), 'b,"\\': '\\",'.repeat(5_000) })
    expect(refusal(text)).toBeNull()
  })

  it('takes bytes that are no JSON as they come', () => {
    expect(refusal('}}]],,"')).toBeNull()
    expect(refusal(`]${','.repeat(jsonEntriesMax)}`)).toContain('entries')
  })

  it('lets the largest request of events pass', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: limits.metadataKeysMax }, (_, index) => [`key_${index}`, [index]]),
    )
    const event = { event_id: 'e', customer_id: 'c', event_name: 'n', timestamp: 't', metadata }
    const events = Array(limits.eventsPerRequestMax).fill(event)
    expect(refusal(JSON.stringify({ events }))).toBeNull()
  })

  it('is judged before a large body is parsed', () => {
    const body = Buffer.from(objectOf(200_000))
    expect(() => parseJson(body)).toThrow(/more than 2000 entries/)
  })
})
