import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Filter } from '../../src/rules/meter/meter.ts'
import { filterOperators, readFilter } from '../../src/wire/meter-filter.ts'

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
