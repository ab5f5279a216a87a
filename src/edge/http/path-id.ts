import { notFound } from '../../faults.ts'
import type { Request } from './route.ts'

/**
 * An identifier of ours in the path; throws 404 when it cannot be one. The store would throw
 * another error, since it refuses text with U+0000.
 */
export function parseId(request: Request, name: string, what: string): string {
  const id = request.param(name)
  if (/^[\w-]{1,255}$/.test(id)) return id
  throw notFound(what, id.slice(0, 255))
}
