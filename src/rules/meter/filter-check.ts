import { limits } from '../../limits.ts'
import type { Checked } from '../../std/schema.ts'
import { filterOperators } from './filter.ts'
import type { Filter, FilterCondition, FilterOperator } from './meter.ts'

/**
 * Reads a filter from a request body: at most three levels, 1–10 clauses each, all of them conditions
 * or all filters. Unknown properties are left out. A problem names its place and never a value.
 * [contract C.6]
 */
export const checkFilter = (value: unknown): Checked<Filter> => readFilter(value, 'filter', 1)

function readFilter(value: unknown, path: string, depth: number): Checked<Filter> {
  // Checked before looking inside: a body nested without end costs three steps.
  if (depth > limits.filterDepthMax)
    return wrong(`${path} must not be nested deeper than ${limits.filterDepthMax} levels.`)
  if (!isObject(value)) return wrong(`${path} must be an object.`)
  const conjunction = own(value, 'conjunction')
  if (conjunction !== 'and' && conjunction !== 'or')
    return wrong(`${path}.conjunction must be one of and, or.`)
  const clauses = own(value, 'clauses')
  if (!Array.isArray(clauses)) return wrong(`${path}.clauses must be an array.`)
  if (clauses.length < 1 || clauses.length > limits.filterClausesMax)
    return wrong(`${path}.clauses must hold 1 to ${limits.filterClausesMax} clauses.`)
  const nested = clauses.filter((clause) => isObject(clause) && Object.hasOwn(clause, 'clauses'))
  if (nested.length !== 0 && nested.length !== clauses.length)
    return wrong(`${path}.clauses must be all conditions or all filters.`)
  if (nested.length === 0) {
    const conditions = readEach(clauses, path, readCondition)
    return conditions.ok ? right({ conjunction, clauses: conditions.value }) : conditions
  }
  const filters = readEach(clauses, path, (clause, at) => readFilter(clause, at, depth + 1))
  return filters.ok ? right({ conjunction, clauses: filters.value }) : filters
}

function readCondition(value: unknown, path: string): Checked<FilterCondition> {
  if (!isObject(value)) return wrong(`${path} must be an object.`)
  const key = own(value, 'key')
  if (typeof key !== 'string' || key === '' || lengthOf(key) > limits.metadataKeyMax)
    return wrong(`${path}.key must be a string of 1 to ${limits.metadataKeyMax} characters.`)
  const operator = own(value, 'operator')
  if (!isOperator(operator))
    return wrong(`${path}.operator must be one of ${filterOperators.join(', ')}.`)
  const operand = own(value, 'value')
  if (typeof operand === 'number') {
    if (!Number.isFinite(operand) || (Number.isInteger(operand) && !Number.isSafeInteger(operand)))
      return wrong(`${path}.value is too large to be exact: send it as a string.`)
  } else if (typeof operand !== 'string' && typeof operand !== 'boolean') {
    return wrong(`${path}.value must be a string, a number or a boolean.`)
  }
  return right({ key, operator, value: operand })
}

function readEach<Clause>(
  clauses: readonly unknown[],
  path: string,
  read: (clause: unknown, path: string) => Checked<Clause>,
): Checked<readonly Clause[]> {
  const values: Clause[] = []
  for (const [index, clause] of clauses.entries()) {
    const checked = read(clause, `${path}.clauses[${index}]`)
    if (!checked.ok) return checked
    values.push(checked.value)
  }
  return right(values)
}

const right = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

const wrong = (problem: string): { readonly ok: false; readonly problem: string } => ({
  ok: false,
  problem,
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined

const isOperator = (value: unknown): value is FilterOperator =>
  filterOperators.some((operator) => operator === value)

/** Characters as JSON Schema counts them: code points. */
const lengthOf = (text: string): number => [...text].length
