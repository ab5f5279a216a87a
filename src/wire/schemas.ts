import { limits } from '../limits.ts'

/** A piece of JSON Schema. */
export type Definition = Readonly<Record<string, unknown>>

/**
 * Text that the store can keep: without U+0000, which PostgreSQL does not take, and without half
 * surrogate pairs, which are no characters. Lengths count characters, not bytes.
 */
export const text = (lengthMin: number, lengthMax: number): Definition => ({
  type: 'string',
  minLength: lengthMin,
  maxLength: lengthMax,
  pattern: '^[^\\u0000\\p{Cs}]*$',
  description: 'text without U+0000 and without half surrogate pairs',
})

/** What a header holds that every HTTP library reads as the same text. */
export const headerText: Definition = {
  type: 'string',
  pattern: '^[!-~]([ -~]{0,253}[!-~])?$',
  description: '1 to 255 printable ASCII characters, no space at either end',
}

/** An identifier that somebody else chose. Whether anything has it is looked up later. */
export const id: Definition = text(1, 255)

export const oneOf = (values: readonly string[]): Definition => ({ type: 'string', enum: values })

/**
 * A field that is known, but refused rather than ignored: `why` follows its name, for example
 * `cannot be changed`. Null is allowed, since it asks for nothing.
 */
export const refused = (why: string): Definition => ({
  not: { type: ['string', 'number', 'boolean', 'array', 'object'] },
  description: why,
})

/** A field that the contract does not have. [requests#description] */
export const ours = (definition: Definition): Definition => ({ ...definition, 'x-sluice': true })

/** Names an image that was uploaded; null takes the image away. [resources#images] */
export const imageId: Definition = nullable(text(1, 255))

export const whole = (min: number, max: number): Definition => ({
  type: 'integer',
  minimum: min,
  maximum: max,
})

/** The same, or null. */
export function nullable(definition: Definition): Definition {
  const { type, enum: values, ...rest } = definition
  const types = { ...rest, type: [type, 'null'] }
  return Array.isArray(values) ? { ...types, enum: [...(values as unknown[]), null] } : types
}

/** An address to which a browser can be led. */
export const url: Definition = {
  type: 'string',
  maxLength: 2_000,
  pattern: '^https?://[^\\s\\u0000\\p{Cs}]+$',
  description: 'a URL that begins with http:// or https://',
}

export const flag: Definition = { type: 'boolean' }

/** Money in the currency's smallest unit. */
export const money = whole(0, limits.moneyMax)

export const percent = whole(0, 100)

/** A decimal as a string; `positive` excludes 0 in all its spellings. */
export function decimal(options: {
  readonly digits: number
  readonly scale: number
  readonly positive: boolean
}): Definition {
  const { digits, scale, positive } = options
  return {
    type: 'string',
    maxLength: digits + scale + 1,
    pattern: `^${positive ? '(?=.*[1-9])' : ''}\\d{1,${digits}}(\\.\\d{1,${scale}})?$`,
    description:
      `a decimal in a string such as "1.5", ${positive ? 'above 0' : '0 or more'}, ` +
      `with at most ${digits} digits before and ${scale} after the point`,
  }
}

/** At most 5 digits before the point and 12 after it, above 0. [requests#numbers] */
export const pricePerUnit = decimal({ digits: 5, scale: 12, positive: true })

/** Credits below 10^10; their precision is checked later. [requests#numbers] */
export const creditAmount = decimal({ digits: 10, scale: 28, positive: true })
export const creditAmountOrZero = decimal({ digits: 10, scale: 28, positive: false })

/** Meter units, as fine as usage is measured. [meters#quantities] */
export const meterUnits = decimal({ digits: 20, scale: limits.usageScale, positive: true })

const metadataKeys: Definition = {
  type: 'string',
  pattern: `^[A-Za-z0-9_-]{1,${limits.catalogMetadataKeyMax}}$`,
  description: `1 to ${limits.catalogMetadataKeyMax} letters, digits, hyphens or underscores`,
}

const keysTold = `at most ${limits.metadataKeysMax} keys`

/**
 * Metadata of everything but usage events. metadataRejection() judges the number of keys and
 * integers that are too large, because it has codes of its own for them. [requests#metadata]
 */
export const metadata: Definition = {
  type: 'object',
  description: keysTold,
  propertyNames: metadataKeys,
  additionalProperties: {
    ...text(0, limits.metadataValueMax),
    type: ['string', 'number', 'boolean'],
  },
}

/** Metadata of webhook endpoints. [resources#webhook-endpoints] */
export const textMetadata: Definition = {
  type: 'object',
  description: keysTold,
  propertyNames: metadataKeys,
  additionalProperties: text(0, limits.metadataValueMax),
}

/** A list's envelope; there is no total. [requests#lists] */
export const page = <T>(items: readonly T[]): { readonly items: readonly T[] } => ({ items })
