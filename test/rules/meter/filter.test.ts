import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileFilter, explainFilter, filterOperators } from '../../../src/rules/meter/filter.ts'
import type {
  Filter,
  FilterCondition,
  FilterOperator,
  FilterValue,
} from '../../../src/rules/meter/meter.ts'
import { modelMatches } from '../../model/usage.ts'
import { runs } from '../../support/run/runs.ts'

const condition = (operator: FilterOperator, value: FilterValue, key = 'x'): FilterCondition => ({
  key,
  operator,
  value,
})
const only = (clause: FilterCondition): Filter => ({ conjunction: 'and', clauses: [clause] })
const matches = (operator: FilterOperator, value: FilterValue, property: unknown): boolean =>
  compileFilter(only(condition(operator, value)))({ x: property })

describe('comparing [meters#filters]', () => {
  it('compares as numbers when both sides read as numbers', () => {
    expect(matches('equals', 10, '10.0')).toBe(true)
    expect(matches('equals', '10', 10)).toBe(true)
    expect(matches('greater_than', '9', 10)).toBe(true)
    expect(matches('greater_than', '9', '10')).toBe(true)
    expect(matches('equals', 0, '-0.00')).toBe(true)
    expect(matches('less_than', 0, -0.5)).toBe(true)
    expect(matches('greater_than_or_equals', 5, 5)).toBe(true)
    expect(matches('less_than_or_equals', 5, '5.000')).toBe(true)
  })

  it('compares decimals exactly, never as floats', () => {
    expect(matches('greater_than', '9007199254740992', '9007199254740993')).toBe(true)
    expect(matches('equals', '9007199254740992', '9007199254740993')).toBe(false)
    expect(matches('equals', 0.1, '0.100000000000000005')).toBe(false)
    expect(matches('less_than', '0.100000000000000005', 0.1)).toBe(true)
    expect(matches('equals', 1e-7, '0.0000001')).toBe(true)
    expect(matches('greater_than', '0.000000000000000001', 1e-19)).toBe(false)
  })

  it('takes text that is not a plain decimal for text', () => {
    for (const text of ['1e3', '+1', ' 1', '1 ', '.5', '1.', '0x10', '', '1'.repeat(21)])
      expect(matches('greater_than', 0, text)).toBe(false)
    expect(matches('equals', 1000, '1e3')).toBe(false)
    expect(matches('not_equals', 1000, '1e3')).toBe(true)
  })

  it('compares as booleans when both sides read as booleans and not as numbers', () => {
    expect(matches('equals', true, 'true')).toBe(true)
    expect(matches('equals', 'false', false)).toBe(true)
    expect(matches('not_equals', true, false)).toBe(true)
    expect(matches('equals', true, 'True')).toBe(false)
    expect(matches('equals', true, 1)).toBe(false)
    expect(matches('greater_than', false, true)).toBe(false)
  })

  it('compares all else as text, case-sensitive', () => {
    expect(matches('equals', 'GPT', 'GPT')).toBe(true)
    expect(matches('equals', 'GPT', 'gpt')).toBe(false)
    expect(matches('not_equals', 'abc', 5)).toBe(true)
  })

  it('is false where the types do not fit', () => {
    for (const operator of filterOperators.slice(2, 6)) {
      expect(matches(operator, 'a', 'b')).toBe(false)
      expect(matches(operator, 1, 'b')).toBe(false)
      expect(matches(operator, true, true)).toBe(false)
    }
  })

  it('looks for text in text only', () => {
    expect(matches('contains', 'pt-4', 'gpt-4o')).toBe(true)
    expect(matches('contains', 'PT-4', 'gpt-4o')).toBe(false)
    expect(matches('does_not_contain', 'x', 'gpt-4o')).toBe(true)
    expect(matches('does_not_contain', 'gpt', 'gpt-4o')).toBe(false)
    for (const property of [12, true])
      for (const operator of ['contains', 'does_not_contain'] as const)
        expect(matches(operator, '1', property)).toBe(false)
  })
})

describe('properties [meters#filters, events#metadata]', () => {
  it('matches nothing where the property is absent, null, an array or an object', () => {
    for (const operator of filterOperators) {
      const filter = compileFilter(only(condition(operator, 'a')))
      for (const metadata of [null, undefined, {}, { x: null }, { x: ['a'] }, { x: { a: 'a' } }])
        expect(filter(metadata)).toBe(false)
    }
  })

  it('reads __proto__ and constructor as ordinary keys, absent where not sent', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const filter = compileFilter(only(condition('not_equals', 'zzz', key)))
      expect(filter({})).toBe(false)
      expect(filter(JSON.parse(`{"${key}":"yes"}`))).toBe(true)
    }
  })

  it('has no path syntax', () => {
    const filter = compileFilter(only(condition('equals', 1, 'a.b')))
    expect(filter({ a: { b: 1 } })).toBe(false)
    expect(filter({ 'a.b': 1 })).toBe(true)
  })
})

const primitive = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('true', 'false', 'a', 'ab', '1', '1.0', '-0', '1e2', '100', '0.1'),
  fc.constantFrom('12345678901234567890', '12345678901234567890.5', '0.123456789012345678'),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
)
const property = fc.oneof(primitive, fc.constant(null), fc.constant([]), fc.constant({ a: 1 }))
const key = fc.constantFrom('a', 'b', '__proto__')
const clause = fc.record({ key, operator: fc.constantFrom(...filterOperators), value: primitive })
const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.record({
    conjunction: fc.constantFrom<'and' | 'or'>('and', 'or'),
    clauses: fc.oneof(
      { maxDepth: 2 },
      fc.array(clause, { minLength: 1, maxLength: 4 }),
      fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    ),
  }),
}))
const metadata = fc.option(
  fc
    .uniqueArray(fc.tuple(key, property), { selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries)),
)

describe('filters against a naive evaluator', () => {
  it('agree on every filter and metadata, and the explanation says the same', () => {
    fc.assert(
      fc.property(anyFilter, metadata, (filter, sent) => {
        const expected = modelMatches(filter, sent)
        expect(compileFilter(filter)(sent)).toBe(expected)
        const explained = explainFilter(filter, sent)
        expect(explained.matches).toBe(expected)
        if (!explained.matches) expect(explained.failed.length).toBeGreaterThan(0)
      }),
      runs(2_000),
    )
  })
})

describe('explaining', () => {
  const filter: Filter = {
    conjunction: 'and',
    clauses: [
      { conjunction: 'and', clauses: [condition('equals', 'eu', 'region')] },
      {
        conjunction: 'or',
        clauses: [condition('greater_than', 10, 'tokens'), condition('equals', 'a', 'model')],
      },
    ],
  }

  it('names each clause that kept the event out, and why', () => {
    expect(explainFilter(filter, { region: 'eu', tokens: 'many' })).toEqual({
      matches: false,
      failed: [
        {
          path: 'filter.clauses[1].clauses[0]',
          key: 'tokens',
          operator: 'greater_than',
          reason: "The property 'tokens' is not a number.",
        },
        {
          path: 'filter.clauses[1].clauses[1]',
          key: 'model',
          operator: 'equals',
          reason: "The property 'model' is not there.",
        },
      ],
    })
    expect(explainFilter(filter, { region: 'eu', tokens: 11 })).toEqual({ matches: true })
  })

  it('says what is wrong in a sentence for each way of being wrong', () => {
    const why = (operator: FilterOperator, value: FilterValue, property: unknown) => {
      const told = explainFilter(only(condition(operator, value)), { x: property })
      return told.matches ? null : told.failed[0]?.reason
    }
    const never = "The property 'x' is null, an array or an object, which never matches."
    expect(why('equals', 1, null)).toBe(never)
    expect(why('contains', 'a', ['a'])).toBe(never)
    expect(why('equals', 'a', 'b')).toBe("The property 'x' has another value.")
    expect(why('not_equals', 'a', 'a')).toBe("The property 'x' has this value.")
    expect(why('contains', 5, '5')).toBe('contains needs text to look for.')
    expect(why('does_not_contain', true, 'b')).toBe('does_not_contain needs text to look for.')
    expect(why('contains', 'a', 5)).toBe("The property 'x' is not text.")
    expect(why('contains', 'a', 'b')).toBe("The property 'x' does not contain this text.")
    expect(why('does_not_contain', 'a', 'ab')).toBe("The property 'x' contains this text.")
    expect(why('less_than', 'a', 5)).toBe('less_than needs a number to compare with.')
    expect(why('less_than', 5, 'a')).toBe("The property 'x' is not a number.")
    expect(why('less_than', 5, 5)).toBe("The property 'x' is not less than this number.")
    expect(why('greater_than_or_equals', 5, 4)).toBe(
      "The property 'x' is not greater than or equals this number.",
    )
  })

  it('repeats no values', () => {
    for (const operator of filterOperators)
      for (const value of ['SECRET', 5]) {
        const told = explainFilter(only(condition(operator, value)), { x: 'HIDDEN' })
        expect(JSON.stringify(told)).not.toMatch(/SECRET|HIDDEN/)
      }
  })
})
