import { Fault, notFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Request } from '../http/route.ts'

/**
 * An identifier of ours in the path; throws 404 when it cannot be one. The store would throw
 * another error, since it refuses text with U+0000.
 */
export function parseId(request: Request, name: string, what: string): string {
  const id = request.param(name)
  if (/^[\w-]{1,255}$/.test(id)) return id
  throw notFound(what, id.slice(0, 255))
}

/** Text in the query, null when absent; throws 422 when the store can hold nothing like it. */
export function parseText(request: Request, name: string): string | null {
  const text = request.query(name)
  if (text === null) return null
  if (text.length <= limits.emailMax && !text.includes('\0')) return text
  const problem = `${name} must be at most ${limits.emailMax} characters, without U+0000.`
  throw new Fault('INVALID_QUERY_PARAMS', problem)
}
