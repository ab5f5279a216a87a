import type { Request } from '../../edge/http/route.ts'
import { notFound } from '../../faults.ts'

/** The session that the path names; throws 404 for what cannot be the id of one. */
export function sessionIdOf(request: Request): string {
  const id = request.param('id')
  if (/^[\w-]{1,255}$/.test(id)) return id
  throw notFound('checkout session', id.slice(0, 255))
}
