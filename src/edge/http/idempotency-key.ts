import { Fault } from '../../faults.ts'
import type { Request } from './route.ts'

/** What every HTTP library sends and reads as the same bytes. */
const pattern = /^[!-~]([ -~]{0,253}[!-~])?$/

/**
 * The `Idempotency-Key` of a request, under which the same can be sent again; null: it has none.
 *
 * @throws Fault 400 where it is empty, too long, or not ASCII
 */
export function parseIdempotencyKey(request: Pick<Request, 'header'>): string | null {
  const key = request.header('idempotency-key')
  if (key === null || pattern.test(key)) return key
  const problem = 'Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.'
  throw new Fault('INVALID_REQUEST_PARAMETERS', problem)
}
