import type { Json } from './calls.ts'
import { fieldOfMoment, momentOfField } from './moments.ts'
import { majorText, minorUnits } from './money.ts'

/** What somebody enters into a field, and what becomes of it in a body. */
export type WrittenAs =
  | 'text'
  | 'long'
  | 'count'
  | 'decimal'
  | 'flag'
  | 'moment'
  /** What a discount takes off: percent, or whatever a flat one has. */
  | 'taken'
  | 'ids'
  | 'json'
  /** An amount of the currency that another field names. */
  | { readonly money: string }
  /** Ids, each in an object under this name. */
  | { readonly idsAs: string }
  | { readonly choice: readonly string[] }

/** A field of a body, as a form asks for it. */
export interface WrittenField {
  /** In the body; `price.currency` stands within `price`. */
  readonly name: string
  readonly label: string
  readonly as: WrittenAs
  readonly hint?: string
  readonly required?: true
  /** Only when the thing is made. */
  readonly once?: true
  /** What stands there before anything is entered. */
  readonly initially?: string
  /** Only while another field has one of these values. */
  readonly beside?: readonly [name: string, values: readonly string[]]
}

type Entered = Readonly<Record<string, string>>

/** What is at a name, which may lead into parts. */
export const partOf = (row: Json, name: string): unknown =>
  name.split('.').reduce<unknown>((at, step) => (at as Json | null | undefined)?.[step], row)

/** What the form shows of the thing as it is. */
export function shownInField({ as, name }: WrittenField, row: Json): string {
  const value = partOf(row, name)
  if (value === null || value === undefined) return ''
  if (typeof as === 'object' && 'money' in as) {
    return majorText(Number(value), String(partOf(row, as.money) ?? 'USD'))
  }
  if (typeof as === 'object' && 'idsAs' in as) {
    const ids = (value as readonly Json[]).map((one) => one[as.idsAs] ?? one['id'])
    return ids.join(', ')
  }
  if (as === 'ids') return (value as readonly unknown[]).join(', ')
  if (as === 'json') return JSON.stringify(value, null, 2)
  if (as === 'moment') return fieldOfMoment(String(value))
  if (as === 'taken' && row['type'] === 'percentage') return String(Number(value) / 100)
  return String(value)
}

/** The fields that a form shows, given what has been entered so far. */
export const fieldsNow = (
  fields: readonly WrittenField[],
  entered: Entered,
): readonly WrittenField[] =>
  fields.filter(
    ({ beside }) => beside === undefined || beside[1].includes(entered[beside[0]] ?? ''),
  )

/**
 * The body that says what was entered: without what is empty, and of a thing that is there (`row`)
 * only what has changed, where an emptied field clears. @throws Error a sentence
 */
export function writtenBody(
  fields: readonly WrittenField[],
  entered: Entered,
  row: Json | null,
): Json {
  const now = fieldsNow(fields, entered)
  const textOf = ({ name }: WrittenField) => (entered[name] ?? '').trim()
  const changed = now.filter(
    (field) => textOf(field) !== (row === null ? '' : shownInField(field, row)),
  )
  const moved = new Set(changed.map(({ name }) => wholeOf(name)))
  const body: Record<string, unknown> = {}
  for (const field of now) {
    const { name } = field
    const [whole, part] = [wholeOf(name), name.split('.')[1]]
    const isSent = part === undefined ? changed.includes(field) : moved.has(whole)
    const text = textOf(field)
    if (!isSent || (text === '' && row === null)) continue
    const value = text === '' ? null : sentOf(field, text, entered)
    if (part === undefined) body[whole] = value
    else body[whole] = { ...((body[whole] ?? keptOf(row, whole, entered)) as Json), [part]: value }
  }
  return { ...body, ...moreOf(entered[moreName] ?? '') }
}

const wholeOf = (name: string): string => name.split('.')[0] ?? name

/** A part of a thing is sent whole: what has no field stays, unless it becomes another kind. */
function keptOf(row: Json | null, whole: string, entered: Entered): Json {
  const kept = (row?.[whole] ?? {}) as Json
  return kept['type'] === entered[`${whole}.type`] ? kept : {}
}

/** The field for whatever a form has no field of its own for. */
export const moreName = 'more as json'

function moreOf(text: string): Json {
  if (text.trim() === '') return {}
  const more = jsonOf(text, 'More')
  if (typeof more !== 'object' || more === null || Array.isArray(more)) {
    throw new Error('More must be a JSON object, such as {"metadata": {"plan": "a"}}.')
  }
  return more as Json
}

function sentOf({ as, label }: WrittenField, text: string, entered: Entered): unknown {
  if (typeof as === 'object') {
    if ('idsAs' in as) return idsIn(text).map((id) => ({ [as.idsAs]: id }))
    return 'money' in as ? minorUnits(text, entered[as.money] || 'USD', label) : text
  }
  switch (as) {
    case 'text':
    case 'long':
    case 'decimal':
      return text
    case 'count':
      return countOf(text, label)
    case 'flag':
      return text === 'true'
    case 'moment':
      return momentOf(text, label)
    case 'taken':
      return entered['type'] === 'percentage' ? hundredths(text, label) : countOf(text, label)
    case 'ids':
      return idsIn(text)
    case 'json':
      return jsonOf(text, label)
  }
}

const idsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

function countOf(text: string, label: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  throw new Error(`${label} must be a whole number.`)
}

/** `12.5` percent are 1250 hundredths; by their digits, since a float could miss one. */
function hundredths(text: string, label: string): number {
  const [, units = '', rest = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (units === '') throw new Error(`${label} must be percent such as 10 or 12.5.`)
  return Number(units + rest.padEnd(2, '0'))
}

function momentOf(text: string, label: string): string {
  try {
    return momentOfField(text)
  } catch {
    throw new Error(`${label} must be a date and a time.`)
  }
}

function jsonOf(text: string, label: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${label} must be JSON.`)
  }
}
