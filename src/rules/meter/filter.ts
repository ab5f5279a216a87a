import { isOversize } from '../../std/number.ts'
import type { Filter, FilterCondition, FilterOperator } from './meter.ts'
import type { Operand, Primitive } from './operand.ts'
import { isEqual, isPrimitive, numericOf, operandOf, order } from './operand.ts'
import type { Metadata } from './usage-event.ts'
import { propertyOf } from './usage-event.ts'

/** Whether an event with this metadata passes. */
export type Matches = (metadata: Metadata | null | undefined) => boolean

/**
 * Reads a checked filter once, so that an event costs a few comparisons. A property that is absent,
 * null, an array or an object matches nothing, not even a negative operator. [meters#filters]
 */
export function compileFilter(filter: Filter): Matches {
  const clauses = filter.clauses.map((clause) =>
    'clauses' in clause ? compileFilter(clause) : compileCondition(clause),
  )
  const [only] = clauses
  if (only !== undefined && clauses.length === 1) return only
  return filter.conjunction === 'and'
    ? (metadata) => clauses.every((matches) => matches(metadata))
    : (metadata) => clauses.some((matches) => matches(metadata))
}

/**
 * The path of the first value that was rounded when it was read; null: there is none.
 * [meters#quantities]
 */
export function oversizeValue(filter: Filter, where = 'filter'): string | null {
  for (const [index, clause] of filter.clauses.entries()) {
    const at = `${where}.clauses[${index}]`
    if ('clauses' in clause) {
      const found = oversizeValue(clause, at)
      if (found !== null) return found
    } else if (typeof clause.value === 'number' && isOversize(clause.value)) return `${at}.value`
  }
  return null
}

function compileCondition({ key, operator, value }: FilterCondition): Matches {
  const test = tests[operator]
  const operand = operandOf(value)
  const substring = typeof value === 'string' ? value : null
  return (metadata) => {
    const property = propertyOf(metadata, key)
    return isPrimitive(property) && test(property, operand, substring)
  }
}

type Test = (property: Primitive, operand: Operand, substring: string | null) => boolean

// Every comparison with NaN is false, so what is not a number is neither less nor greater.
const tests: Readonly<Record<FilterOperator, Test>> = {
  equals: (property, operand) => isEqual(property, operand),
  not_equals: (property, operand) => !isEqual(property, operand),
  greater_than: (property, operand) => order(property, operand) > 0,
  greater_than_or_equals: (property, operand) => order(property, operand) >= 0,
  less_than: (property, operand) => order(property, operand) < 0,
  less_than_or_equals: (property, operand) => order(property, operand) <= 0,
  contains: (property, _, substring) =>
    typeof property === 'string' && substring !== null && property.includes(substring),
  does_not_contain: (property, _, substring) =>
    typeof property === 'string' && substring !== null && !property.includes(substring),
}

/** [resources#names-of-choices] */
export const filterOperators = Object.keys(tests) as readonly FilterOperator[]

/**
 * A condition that kept an event out. `path` leads to it inside the filter:
 * `filter.clauses[1].clauses[0]`.
 */
export interface FailedCondition {
  readonly path: string
  readonly key: string
  readonly operator: FilterOperator
  readonly reason: string
}

export type FilterExplanation =
  | { readonly matches: true }
  | { readonly matches: false; readonly failed: readonly FailedCondition[] }

/**
 * Like `compileFilter`, but says what failed: of an `and` the first clause that failed, of an `or`
 * every clause. Reasons repeat no values of the event.
 */
export function explainFilter(
  filter: Filter,
  metadata: Metadata | null,
  path = 'filter',
): FilterExplanation {
  const failed: FailedCondition[] = []
  for (const [index, clause] of filter.clauses.entries()) {
    const where = `${path}.clauses[${index}]`
    const explanation =
      'clauses' in clause
        ? explainFilter(clause, metadata, where)
        : explainCondition(clause, metadata, where)
    if (explanation.matches && filter.conjunction === 'or') return explanation
    if (explanation.matches) continue
    if (filter.conjunction === 'and') return explanation
    failed.push(...explanation.failed)
  }
  return filter.conjunction === 'and' ? { matches: true } : { matches: false, failed }
}

function explainCondition(
  condition: FilterCondition,
  metadata: Metadata | null,
  path: string,
): FilterExplanation {
  if (compileCondition(condition)(metadata)) return { matches: true }
  const { key, operator } = condition
  const reason = whyNot(condition, propertyOf(metadata, key))
  return { matches: false, failed: [{ path, key, operator, reason }] }
}

function whyNot({ key, operator, value }: FilterCondition, property: unknown): string {
  const name = `The property '${key}'`
  if (property === undefined) return `${name} is not there.`
  if (!isPrimitive(property)) return `${name} is null, an array or an object, which never matches.`
  switch (operator) {
    case 'equals':
      return `${name} has another value.`
    case 'not_equals':
      return `${name} has this value.`
    case 'contains':
    case 'does_not_contain':
      if (typeof value !== 'string') return `${operator} needs text to look for.`
      if (typeof property !== 'string') return `${name} is not text.`
      return `${name} ${operator === 'contains' ? 'does not contain' : 'contains'} this text.`
    default:
      if (numericOf(value) === null) return `${operator} needs a number to compare with.`
      if (numericOf(property) === null) return `${name} is not a number.`
      return `${name} is not ${operator.replaceAll('_', ' ')} this number.`
  }
}
