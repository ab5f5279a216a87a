import { limits } from '../limits.ts'
import { filterOperators } from '../rules/meter/filter.ts'
import type { Filter, FilterCondition, FilterValue } from '../rules/meter/meter.ts'
import { isStorable } from '../std/text.ts'

export type ReadFilter =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly problem: string }

/**
 * Reads a meter's filter: `conjunction`, and 1 to 10 `clauses` that are all conditions or all
 * filters, at most three levels deep. Written by hand, because a schema could only say that no kind
 * of clause fits, not which field is wrong. [meters#filters]
 */
export function readFilter(value: unknown): ReadFilter {
  try {
    return { ok: true, filter: filterOf(value, 'filter', 1) }
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.message }
    throw error
  }
}

/** Leaves a reading in the middle; it is always caught in this file. */
class Problem extends Error {}

function filterOf(value: unknown, where: string, level: number): Filter {
  const fields = objectOf(value, where)
  const { conjunction, clauses } = fields
  if (conjunction !== 'and' && conjunction !== 'or') {
    throw new Problem(`${where}.conjunction must be one of and, or.`)
  }
  const { filterClausesMax: most, filterDepthMax: deepest } = limits
  if (!Array.isArray(clauses) || clauses.length < 1 || clauses.length > most) {
    throw new Problem(`${where}.clauses must be an array of 1 to ${most} items.`)
  }
  const items = clauses.map((clause: unknown, index) => ({
    clause,
    at: `${where}.clauses[${index}]`,
  }))
  const nested = items.filter(({ clause, at }) => 'clauses' in objectOf(clause, at)).length
  if (nested === 0) return { conjunction, clauses: items.map(conditionOf) }
  if (nested < items.length) {
    throw new Problem(`${where}.clauses must be all conditions or all filters, not a mixture.`)
  }
  if (level === deepest) throw new Problem(`filter must be at most ${deepest} levels deep.`)
  return { conjunction, clauses: items.map(({ clause, at }) => filterOf(clause, at, level + 1)) }
}

function conditionOf({ clause, at }: { clause: unknown; at: string }): FilterCondition {
  const { key, operator, value } = objectOf(clause, at)
  const known = filterOperators.find((name) => name === operator)
  if (typeof key !== 'string' || key === '' || [...key].length > limits.metadataKeyMax) {
    throw new Problem(`${at}.key must be a text of 1 to ${limits.metadataKeyMax} characters.`)
  }
  if (known === undefined) {
    throw new Problem(`${at}.operator must be one of ${filterOperators.join(', ')}.`)
  }
  if (!isStorable(key)) throw new Problem(`${at}.key must be text without U+0000.`)
  return { key, operator: known, value: filterValueOf(value, `${at}.value`) }
}

function filterValueOf(value: unknown, where: string): FilterValue {
  // A number that is too large is refused later in the order of refusals: oversizeValue().
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value !== 'string') throw new Problem(`${where} must be a string, number or boolean.`)
  if ([...value].length > limits.metadataValueMax) {
    throw new Problem(`${where} must not be longer than ${limits.metadataValueMax} characters.`)
  }
  if (!isStorable(value)) throw new Problem(`${where} must be text without U+0000.`)
  return value
}

function objectOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw new Problem(`${where} must be an object.`)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
