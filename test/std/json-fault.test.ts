import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from '../../src/std/json-fault.ts'
import { runs } from '../support/run/runs.ts'

describe('where a text stops being JSON', () => {
  it.each([
    ['{"a": }', 1, 7],
    ['{a: 1}', 1, 2],
    ["{'a': 1}", 1, 2],
    ['{"a": 1,}', 1, 9],
    ['[1 2]', 1, 4],
    ['[1,]', 1, 4],
    ['{"a" 1}', 1, 6],
    ['{"a":1 "b":2}', 1, 8],
    ['[01]', 1, 3],
    ['[1.]', 1, 4],
    ['[1e+]', 1, 5],
    ['[-]', 1, 3],
    ['[.5]', 1, 2],
    ['[+1]', 1, 2],
    ['[NaN]', 1, 2],
    ['[trux]', 1, 5],
    ['["\\x"]', 1, 4],
    ['["\\u12g4"]', 1, 7],
    ['["a\tb"]', 1, 4],
    ['[1]]', 1, 4],
    ['[1}', 1, 3],
    ['1 2', 1, 3],
    ['{"events": [\n  {"event_id": "a"},\n  {event_id: "b"}\n]}', 3, 4],
    ['\n\n  ?', 3, 3],
    ['\ufeff{}', 1, 1],
  ])('%j: line %i, column %i', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonFault(text)).toEqual({ line, column, isEnd: false })
  })

  it.each([
    '',
    ' ',
    '{',
    '[',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '"a',
    '["\\',
    '["\\u00',
    'tru',
  ])('%j ends too early', (text) => {
    expect(jsonFault(text)).toEqual({ line: 1, column: text.length + 1, isEnd: true })
  })

  it('is nowhere in JSON, and somewhere in all else, as JSON.parse says', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '\\', 'u', '0', '1', '-', '+', '.', 'e', ' ', '\n'],
      ...['true', 'null', 'false', '"a"', '"a":1', '\\n', '\\u00e9', '\u0001', 'é', '\ud800'],
    )
    const texts = fc.oneof(
      fc.json(),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(jsonFault(text) === null).toBe(parses(text))
      }),
      runs(20_000),
    )
  })

  it('takes any depth', () => {
    expect(jsonFault('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001, isEnd: true })
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
