import type { Definition } from '../schemas.ts'

/**
 * What a view answers, as a schema: a definition for each field of the view's own type, so that the
 * compiler finds a field that only one of the two has. Every field is always there.
 */
export const shape = <View>(
  fields: {
    readonly [Field in keyof Required<View>]: Definition
  },
): Definition => ({
  type: 'object',
  required: Object.keys(fields),
  properties: fields,
})

/** The same with fields that are there only sometimes. */
export const shapeWith = <View, Sometimes extends keyof View>(
  fields: { readonly [Field in keyof Required<View>]: Definition },
  sometimes: readonly Sometimes[],
): Definition => ({
  type: 'object',
  required: Object.keys(fields).filter((name) => !sometimes.some((field) => field === name)),
  properties: fields,
})

export const textField: Definition = { type: 'string' }
export const textOrNull: Definition = { type: ['string', 'null'] }
export const wholeField: Definition = { type: 'integer' }
export const wholeOrNull: Definition = { type: ['integer', 'null'] }
export const numberField: Definition = { type: 'number' }
export const flagField: Definition = { type: 'boolean' }
export const flagOrNull: Definition = { type: ['boolean', 'null'] }
/** RFC 3339 in UTC, with microseconds. */
export const timeField: Definition = { type: 'string', format: 'date-time' }
export const timeOrNull: Definition = { type: ['string', 'null'], format: 'date-time' }
/** Exact, without trailing zeros or exponents. */
export const decimalField: Definition = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }
export const decimalOrNull: Definition = { ...decimalField, type: ['string', 'null'] }
export const nothing: Definition = { type: 'null' }
export const anyObject: Definition = { type: 'object' }
export const choiceField = (values: readonly string[]): Definition => ({
  type: 'string',
  enum: values,
})
export const choiceOrNullField = (values: readonly string[]): Definition => ({
  type: ['string', 'null'],
  enum: [...values, null],
})
export const listField = (items: Definition): Definition => ({ type: 'array', items })
export const orNull = (definition: Definition): Definition => ({
  anyOf: [definition, { type: 'null' }],
})
/** Strings, numbers and booleans by name. */
export const metadataField: Definition = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}

/** A schema that stands in the description once, under its name. */
export interface NamedShape {
  readonly name: string
  readonly definition: Definition
}

export const named = (name: string, definition: Definition): NamedShape => ({ name, definition })
