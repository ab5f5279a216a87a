import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Instant } from '../../std/instant.ts'
import { parseInstant } from '../../std/instant.ts'
import type { Schema } from '../../std/schema.ts'
import type { Request } from './route.ts'

/** The body as its schema says; throws 422 that names the field. */
export function parse<T>(schema: Schema<T>, body: unknown): T {
  const checked = schema.check(body)
  if (!checked.ok) throw new Fault('INVALID_REQUEST_BODY', checked.problem)
  return checked.value
}

export interface PageQuery {
  readonly limit: number
  readonly offset: number
}

/** `page_number` from 0, `page_size` from 1 to 100; throws 422 otherwise. [requests#lists] */
export function parsePage(request: Request): PageQuery {
  const sizes = { min: 1, max: request.pageSizeMax ?? limits.pageSizeMax }
  const size = wholeNumber(request, 'page_size', sizes) ?? limits.pageSizeDefault
  const number = wholeNumber(request, 'page_number', { min: 0, max: 2 ** 31 - 1 }) ?? 0
  return { limit: size, offset: number * size }
}

/** `limit` from 1 to 100, null when absent; throws 422 otherwise. [requests#lists] */
export const parseLimit = (request: Request): number | null =>
  wholeNumber(request, 'limit', { min: 1, max: limits.pageSizeMax })

function wholeNumber(
  request: Request,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | null {
  const text = request.query(name)
  if (text === null) return null
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Fault('INVALID_QUERY_PARAMS', `${name} must be a whole number from ${min} to ${max}.`)
}

/** A date-time in the query, null when absent; throws 422 when it cannot be read. */
export function parseTime(request: Request, name: string): Instant | null {
  const text = request.query(name)
  if (text === null) return null
  // A plus that was not percent-encoded arrives as a blank.
  const at = parseInstant(text.replace(' ', '+')) ?? parseInstant(text)
  if (at !== null) return at
  throw new Fault(
    'INVALID_QUERY_PARAMS',
    `${name} must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z.`,
  )
}

export function parseFlag(request: Request, name: string): boolean | null {
  const text = request.query(name)
  if (text === null) return null
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Fault('INVALID_QUERY_PARAMS', `${name} must be true or false.`)
}

/** One of the texts in `values`, null when absent; throws 422 otherwise. */
export function parseChoice<T extends string>(
  request: Request,
  name: string,
  values: readonly T[],
): T | null {
  const text = request.query(name)
  if (text === null) return null
  const found = values.find((value) => value === text)
  if (found !== undefined) return found
  throw new Fault('INVALID_QUERY_PARAMS', `${name} must be one of ${values.join(', ')}.`)
}
