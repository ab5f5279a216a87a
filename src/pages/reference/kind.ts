import type { ApiSchema } from './description.ts'

/** How many values of a choice are told in one line. */
const valuesMax = 16

/** What a value of a schema is, in a few words: `integer, 1 to 100`, `list of text, or null`. */
export function kindOf(schema: ApiSchema): string {
  const { $ref, oneOf, anyOf } = schema
  if ($ref !== undefined) return $ref.replace(/^.*\//, '')
  const either = oneOf ?? anyOf
  if (either !== undefined) return [...new Set(either.map(kindOf))].join(', or ')
  if ('const' in schema) return `always ${JSON.stringify(schema.const)}`
  const named = schema.type ?? []
  const types = typeof named === 'string' ? [named] : named
  const kinds = types.filter((type) => type !== 'null').map((type) => wordsOf(type, schema))
  const told = kinds.length === 0 && types.length === 0 ? ['any JSON'] : kinds
  return [...told, ...(types.includes('null') ? ['null'] : [])].join(', or ')
}

function wordsOf(type: string, schema: ApiSchema): string {
  if (type === 'string') return textKind(schema)
  if (type === 'integer' || type === 'number') return `${type}${bounds(schema)}`
  if (type === 'boolean') return 'true or false'
  if (type === 'array') return listKind(schema)
  return type
}

function textKind({ enum: values, format, minLength, maxLength }: ApiSchema): string {
  if (values !== undefined) return choiceKind(values)
  if (format === 'date-time') return 'time (RFC 3339)'
  if (format !== undefined) return `text (${format})`
  if (maxLength === undefined)
    return minLength === undefined || minLength === 0 ? 'text' : 'text, not empty'
  if (minLength === undefined || minLength === 0) return `text, up to ${maxLength} characters`
  return `text, ${minLength} to ${maxLength} characters`
}

function choiceKind(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null).map(String)
  if (texts.length === 1) return `always ${texts[0]}`
  const shown = texts.slice(0, valuesMax).join(', ')
  return texts.length > valuesMax ? `one of ${texts.length}: ${shown}, …` : `one of ${shown}`
}

function listKind({ items, minItems = 0, maxItems }: ApiSchema): string {
  const of = items === undefined ? 'list' : `list of ${kindOf(items)}`
  if (maxItems !== undefined) return `${of} (${minItems} to ${maxItems})`
  return minItems > 0 ? `${of} (${minItems} or more)` : of
}

function bounds({ minimum, maximum }: ApiSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  return maximum === undefined ? '' : `, up to ${maximum}`
}
