import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { ApiDescription, ApiSchema } from './description.ts'
import { resolved } from './description.ts'
import { kindOf } from './kind.ts'

/** Deeper fields are left to `/openapi.json`: nothing of ours is deeper, unless it holds itself. */
const depthMax = 6

/** A field, parameter or element with what is said of it. */
export interface ToldField {
  readonly name: string
  readonly schema: ApiSchema
  readonly required: boolean
  readonly description?: string | undefined
}

/** What is shown: fields that are sent, or fields that are answered. */
export interface Shown {
  readonly api: ApiDescription
  readonly side: 'sent' | 'answered'
}

/** The fields of a schema as a list, those of what it holds folded up beneath them. */
export function fieldsOf(shown: Shown, schema: ApiSchema, depth = 0): Html | null {
  const { oneOf, anyOf, items, properties, required = [] } = resolved(shown.api, schema)
  const either = (oneOf ?? anyOf)?.filter((one) => one.type !== 'null')
  if (depth > depthMax) return null
  if (either?.length === 1) return fieldsOf(shown, either[0] ?? {}, depth)
  if (either !== undefined) return variantsOf(shown, either, depth)
  if (items !== undefined) return fieldsOf(shown, items, depth)
  if (properties === undefined) return null
  const told = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    required: required.includes(name),
  }))
  return fieldList(shown, told, depth)
}

export const fieldList = (shown: Shown, all: readonly ToldField[], depth = 0): Html => html`
<ul class="fields">${all.map((one) => fieldOf(shown, one, depth))}</ul>`

function fieldOf(
  shown: Shown,
  { name, schema, required, ...more }: ToldField,
  depth: number,
): Html {
  const inner = fieldsOf(shown, schema, depth + 1)
  const description = more.description ?? schema.description ?? null
  return html`
<li><code class="name">${name}</code> <span class="kind">${kindOf(schema)}</span>${presence(
    shown,
    required,
  )}${defaultOf(schema)}${description === null ? null : html`<p>${sentence(description)}</p>`}${
    inner === null
      ? null
      : html`<details><summary>Fields of <code>${name}</code></summary>${inner}</details>`
  }</li>`
}

/** Only the exception is told: what must be sent, and what is not always answered. */
function presence({ side }: Shown, required: boolean): Html | null {
  if (side === 'sent') return required ? html` <span class="required">required</span>` : null
  return required ? null : html` <span class="required">not always</span>`
}

function defaultOf({ default: value }: ApiSchema): Html | null {
  if (value === undefined) return null
  return html` <span class="kind">(${JSON.stringify(value)} when absent)</span>`
}

function variantsOf(shown: Shown, either: readonly ApiSchema[], depth: number): Html | null {
  const items = either.flatMap((one) => {
    const fields = fieldsOf(shown, one, depth + 1)
    return fields === null ? [] : [html`<li>${titleOf(shown.api, one)}${fields}</li>`]
  })
  return items.length === 0 ? null : html`<p>One of these:</p><ol class="variants">${items}</ol>`
}

/** What tells one of several kinds from the others: its name, or the field with one value. */
function titleOf(api: ApiDescription, schema: ApiSchema): Html | null {
  if (schema.$ref !== undefined) return html`<p><strong>${kindOf(schema)}</strong></p>`
  const fields = Object.entries(resolved(api, schema).properties ?? {})
  const [name, by] =
    fields.find(([, { enum: values, ...one }]) => 'const' in one || values?.length === 1) ?? []
  if (name === undefined || by === undefined) return null
  const value = by.const ?? by.enum?.[0]
  return html`<p><strong>${name}: ${String(value)}</strong></p>`
}

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** The names of all fields of a schema, however deep. */
export function namesIn(schema: ApiSchema | undefined): readonly string[] {
  if (schema === undefined) return []
  const { properties = {}, items, oneOf = [], anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...namesIn(field)]),
    ...[items, ...oneOf, ...anyOf].flatMap(namesIn),
  ]
}
