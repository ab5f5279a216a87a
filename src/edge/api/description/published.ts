import type { Schema } from '../../../std/schema.ts'
import type { Definition } from '../../../wire/schemas.ts'

/**
 * The schema that checks a body, as clients are shown it: without the fields that are known only to
 * be refused, and with the texts of its sentences where tools expect them.
 */
export const definitionOf = ({ definition }: Schema<unknown>): Definition => published(definition)

function published(definition: Definition): Definition {
  const kinds = kindsOf(definition)
  if (kinds !== null) return { oneOf: mayBeNull(definition) ? [...kinds, { type: 'null' }] : kinds }
  const { properties, items, additionalProperties, propertyNames, ...rest } = definition
  const nested = { items, additionalProperties, propertyNames }
  return {
    ...rest,
    ...(isRecord(properties) ? { properties: publishedFields(properties) } : {}),
    ...publishedFields(defined(nested)),
  }
}

/**
 * A description with patterns, wherever they stand, that other languages' regular expressions can
 * read: they have no name for half a surrogate pair, and no text in UTF-8 holds one.
 */
export const portable = (description: Definition): Definition =>
  JSON.parse(JSON.stringify(description), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? value.replaceAll('\\p{Cs}', '') : value,
  ) as Definition

/**
 * A schema that chooses by a field names what is wrong with the kind that was meant, which `oneOf`
 * would not; to read and to generate from, the kinds stand side by side. Null: it chooses nothing.
 */
function kindsOf({ allOf }: Definition): readonly Definition[] | null {
  if (!Array.isArray(allOf)) return null
  return allOf.filter(isRecord).map((kind) => {
    const [chosen, then] = [kind['if'], kind['then']]
    if (!isRecord(chosen) || !isRecord(then)) throw new Error('A choice without its kinds.')
    const [by, own] = [chosen['properties'], then['properties']]
    return {
      type: 'object',
      required: [...strings(chosen['required']), ...strings(then['required'])],
      properties: { ...record(by), ...publishedFields(record(own)) },
    }
  })
}

const mayBeNull = ({ type }: Definition): boolean => Array.isArray(type) && type.includes('null')

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : []

const record = (value: unknown): Definition => (isRecord(value) ? value : {})

const publishedFields = (properties: Definition): Definition =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, field]) => !(isRecord(field) && 'not' in field))
      .map(([name, field]) => [name, isRecord(field) ? published(field) : field]),
  )

const defined = (fields: Definition): Definition =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))

const isRecord = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
