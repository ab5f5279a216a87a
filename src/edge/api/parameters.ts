import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Request } from '../http/route.ts'

/** Text in the query, null when absent; throws 422 when the store can hold nothing like it. */
export function parseText(request: Request, name: string): string | null {
  const text = request.query(name)
  if (text === null) return null
  if (text.length <= limits.emailMax && !text.includes('\0')) return text
  const problem = `${name} must be at most ${limits.emailMax} characters, without U+0000.`
  throw new Fault('INVALID_QUERY_PARAMS', problem)
}
