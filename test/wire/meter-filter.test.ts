import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterOperators, oversizeValue } from '../../src/rules/meter/filter.ts'
import type { Filter } from '../../src/rules/meter/meter.ts'
import { readFilter } from '../../src/wire/meter-filter.ts'

const text = (max: number) => fc.string({ maxLength: max, unit: 'grapheme-ascii' })
const condition = fc.record({
  key: text(100).filter((key) => key !== ''),
  operator: fc.constantFrom(...filterOperators),
  value: fc.oneof(text(500), fc.boolean(), fc.integer()),
})
const conjunction = fc.constantFrom<'and' | 'or'>('and', 'or')
const clauses = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 3 })

const filterOf = (levels: number): fc.Arbitrary<Filter> =>
  fc.record({
    conjunction,
    clauses:
      levels === 1
        ? clauses(condition)
        : fc.oneof(
            clauses(condition),
            clauses(fc.constant(null).chain(() => filterOf(levels - 1))),
          ),
  })

describe('a filter', () => {
  it('reads as itself, without what it does not know', () => {
    fc.assert(
      fc.property(filterOf(3), (filter) => {
        const sent = JSON.parse(JSON.stringify(filter), (_, value) =>
          typeof value === 'object' && !Array.isArray(value) ? { ...value, more: 1 } : value,
        )
        expect(readFilter(sent)).toEqual({ ok: true, filter })
      }),
    )
  })

  it('of any other JSON is refused with a sentence, never a crash', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readFilter(value)
        expect(read.ok ? '' : read.problem).toMatch(/^filter.*\.$/)
      }),
    )
  })
})

describe('reading a filter [meters#filters]', () => {
  const only = (clause: object) => ({ conjunction: 'and', clauses: [clause] })
  const equals = (key: string) => ({ key, operator: 'equals', value: 1 })
  const nest = (levels: number): unknown =>
    levels === 1 ? only(equals('x')) : { conjunction: 'or', clauses: [nest(levels - 1)] }
  const problem = (value: unknown): string => {
    const checked = readFilter(value)
    return checked.ok ? 'ok' : checked.problem
  }

  it('accepts three levels and refuses a fourth, however deep', () => {
    expect(problem(nest(3))).toBe('ok')
    expect(problem(nest(4))).toMatch(/at most 3 levels deep/)
    expect(problem(nest(2_000))).toMatch(/at most 3 levels deep/)
  })

  it('accepts 1 to 10 clauses', () => {
    const clauses = (count: number) => ({
      conjunction: 'and',
      clauses: Array.from({ length: count }, () => equals('x')),
    })
    expect(problem(clauses(1))).toBe('ok')
    expect(problem(clauses(10))).toBe('ok')
    for (const count of [0, 11]) expect(problem(clauses(count))).toMatch(/array of 1 to 10 items/)
  })

  it('refuses a mixture of conditions and filters', () => {
    const clauses = [equals('x'), nest(1)]
    expect(problem({ conjunction: 'and', clauses })).toMatch(/all conditions or all filters/)
  })

  it('accepts keys of 1 to 100 characters', () => {
    for (const good of ['a', 'k'.repeat(100), '😀'.repeat(100), '__proto__'])
      expect(problem(only(equals(good)))).toBe('ok')
    for (const bad of ['', 'k'.repeat(101)])
      expect(problem(only(equals(bad)))).toMatch(/clauses\[0\]\.key must be/)
  })

  it('names the place of what is missing or wrong', () => {
    const [x, operator] = ['x', 'equals']
    const wrapped = (wrong: unknown) => ({ conjunction: 'and', clauses: [wrong] })
    expect(problem(null)).toBe('filter must be an object.')
    expect(problem({ clauses: [] })).toBe('filter.conjunction must be one of and, or.')
    expect(problem({ conjunction: 'and' })).toBe(
      'filter.clauses must be an array of 1 to 10 items.',
    )
    expect(problem(wrapped('a'))).toBe('filter.clauses[0] must be an object.')
    expect(problem(wrapped({ key: x, operator: 'is', value: 1 }))).toMatch(/operator must be one/)
    for (const value of [null, [], {}, undefined])
      expect(problem(wrapped({ key: x, operator, value }))).toMatch(/value must be a string/)
  })

  it.each([1e21, 2 ** 53, -(2 ** 53), Number.POSITIVE_INFINITY])(
    'finds %d, which is not exact',
    (n) => {
      const condition = { key: 'x', operator: 'equals', value: n } as const
      const oversize: Filter = { conjunction: 'and', clauses: [condition] }
      expect(readFilter(oversize)).toEqual({ ok: true, filter: oversize })
      expect(oversizeValue(oversize)).toBe('filter.clauses[0].value')
      const exact = { ...condition, value: Number.MAX_SAFE_INTEGER }
      const fine: Filter = { conjunction: 'and', clauses: [exact] }
      const deep: Filter = { conjunction: 'or', clauses: [fine, oversize] }
      expect(oversizeValue(deep)).toBe('filter.clauses[1].clauses[0].value')
      expect(oversizeValue(fine)).toBe(null)
    },
  )

  it('leaves out what it does not know, and keeps the rest as it was', () => {
    const sent = { ...only({ ...equals('x'), note: 'x' }), more: 1 }
    expect(readFilter(sent)).toEqual({ ok: true, filter: only(equals('x')) })
  })

  it('answers anything at all', () => {
    fc.assert(fc.property(fc.anything(), (value) => void readFilter(value)))
  })
})
