import { Fault } from '../../faults.ts'
import type { PortalLinkNeeds } from '../../operations/portal/portal-link.ts'
import { newPortalToken } from '../../operations/portal/portal-link.ts'
import { portalSession } from '../../wire/portal.ts'
import { parseFlag } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'

export interface PortalSessionNeeds extends PortalLinkNeeds {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** [payments#portal] */
export function portalSessions(needs: PortalSessionNeeds): readonly Route[] {
  const path = '/customers/:customer_id/customer-portal/session'
  return [route('POST', path, 'write', create, 'none')]

  async function create(request: Request): Promise<Reply> {
    // Sluice sends no e-mail: the caller gets the link, and may send it. [payments#portal]
    parseFlag(request, 'send_email')
    const returnUrl = returnUrlIn(request)
    const customerId = parseId(request, 'customer_id', 'customer')
    const { at, caller } = request
    const token = await newPortalToken(needs, caller, { customerId, returnUrl, at })
    return ok(portalSession(`${baseUrlOf(request, needs.publicUrl)}/portal/${token}`))
  }
}

/** It stands in the link, which has to fit into a request. */
const longest = 1_000

function returnUrlIn(request: Request): string | null {
  const text = request.query('return_url')
  if (text === null || text === '') return null
  if (text.length <= longest && /^https?:\/\/\S+$/.test(text) && URL.canParse(text)) return text
  throw new Fault(
    'INVALID_QUERY_PARAMS',
    `return_url must be an http or https URL of at most ${longest} characters.`,
  )
}
