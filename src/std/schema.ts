import type { ErrorObject, ValidateFunction } from './ajv.ts'
import { nearMiss } from './near.ts'
import { plural } from './plural.ts'
import { validatorOf } from './validators.ts'

/** A JSON Schema beside the type that it guards; after `check` the type is trusted. */
export interface Schema<T> {
  readonly definition: Readonly<Record<string, unknown>>
  readonly check: (value: unknown) => Checked<T>
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string }

/** Compilers of the schemas that have not been used yet. */
const uncompiled = new Set<() => unknown>()
const definitions: Schema<unknown>['definition'][] = []

/**
 * A schema is compiled at its first check, so that commands and threads that check nothing start
 * faster.
 */
export function schema<T>(definition: Readonly<Record<string, unknown>>): Schema<T> {
  let compiled: ValidateFunction | null = null
  uncompiled.add(compile)
  definitions.push(definition)
  return { definition, check }

  function compile(): ValidateFunction {
    uncompiled.delete(compile)
    compiled ??= validatorOf(definition)
    return compiled
  }

  function check(value: unknown): Checked<T> {
    const validate = compiled ?? compile()
    if (validate(value)) return { ok: true, value: value as T }
    const [error] = validate.errors ?? []
    return { ok: false, problem: error === undefined ? 'The body is not valid.' : sentence(error) }
  }
}

/** Compiles all schemas that are left, so that nothing waits for a compilation from then on. */
export function compileSchemas(): void {
  for (const compile of uncompiled) compile()
}

/** Compiles one of those that are left; false: there are none. */
export function compileNextSchema(): boolean {
  const [compile] = uncompiled
  compile?.()
  return compile !== undefined
}

/** All schemas that the modules loaded so far have made. */
export const madeDefinitions = (): readonly Schema<unknown>['definition'][] => definitions

/** Says where (by path), what is wrong, and what would be right; never repeats the value. */
function sentence(error: ErrorObject): string {
  const path = pathOf(error.instancePath)
  const where = error.propertyName === undefined ? path : `Every key of ${path}`
  const { params } = error as { params: Record<string, unknown> }
  const limit = Number(params['limit'])
  switch (error.keyword) {
    case 'required':
      return requiredSentence(error, String(params['missingProperty']))
    case 'type':
      return `${where} must be ${typeNames(params['type'])}.`
    case 'enum':
      return `${where} must be one of ${listOf(params['allowedValues'])}.`
    case 'format':
      return `${where} must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z.`
    case 'minLength':
      return limit === 1
        ? `${where} must not be empty.`
        : `${where} must not be shorter than ${plural(limit, 'character')}.`
    case 'maxLength':
      return `${where} must not be longer than ${plural(limit, 'character')}.`
    case 'minItems':
      return `${where} must hold at least ${plural(limit, 'item')}.`
    case 'maxItems':
      return `${where} must hold at most ${plural(limit, 'item')}.`
    case 'pattern':
      return patternSentence(error, where)
    case 'maxProperties':
      return `${where} must hold at most ${plural(limit, 'key')}.`
    case 'not':
      return `${where} ${String(error.parentSchema?.['description'] ?? 'must be left out')}.`
    case 'minimum':
    case 'maximum':
      return `${where} must be ${rangeOf(error)}.`
    default:
      return `${where} ${error.message ?? 'is not valid'}.`
  }
}

/** A field that is not there may be misspelled: one that nobody knows and that looks like it. */
function requiredSentence(error: ErrorObject, missing: string): string {
  const sentence = `${pathOf(`${error.instancePath}/${missing}`)} is required`
  const { data, parentSchema } = error
  if (typeof data !== 'object' || data === null) return `${sentence}.`
  const known = new Set(Object.keys(Object(parentSchema?.['properties'])))
  const near = nearMiss(missing, Object.keys(data), known)
  return near === null ? `${sentence}.` : `${sentence}: '${near}' looks like a misspelling of it.`
}

/** Both bounds, whichever was passed: who mends one should not meet the other. */
function rangeOf({ parentSchema, params }: ErrorObject): string {
  const { type, minimum, maximum } = Object(parentSchema) as Record<string, unknown>
  const number = [type].flat().includes('integer') ? 'a whole number' : 'a number'
  if (minimum === undefined) return `${number} of at most ${params['limit']}`
  if (maximum === undefined) return `${number} of at least ${params['limit']}`
  return `${number} from ${minimum} to ${maximum}`
}

const listOf = (values: unknown): string => (values as unknown[]).map(String).join(', ')

/** People cannot read a pattern, so the schema's description is put in its place. */
function patternSentence({ parentSchema }: ErrorObject, where: string): string {
  const { description } = parentSchema ?? {}
  return `${where} must be ${typeof description === 'string' ? description : 'well-formed'}.`
}

function pathOf(pointer: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((all, part) => {
      if (/^\d+$/.test(part)) return `${all}[${part}]`
      return all === '' ? part : `${all}.${part}`
    }, '')
  return path === '' ? 'The body' : path.slice(0, 200)
}

function typeNames(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map(String)
  const article = (name: string): string => {
    if (name === 'null') return 'null'
    return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`
  }
  return names.map(article).join(' or ')
}
