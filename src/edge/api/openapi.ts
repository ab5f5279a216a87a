import { createHash } from 'node:crypto'
import { anyObject, named } from '../../wire/answers/shape.ts'
import {
  customersDescribed,
  entitlementsDescribed,
  metersDescribed,
  productsDescribed,
} from '../../wire/described/catalog.ts'
import { balancesDescribed } from '../../wire/described/credits.ts'
import type { DescribedRoutes } from '../../wire/described/described.ts'
import { eventsDescribed } from '../../wire/described/events.ts'
import { subscriptionsDescribed } from '../../wire/described/subscriptions.ts'
import { webhooksDescribed } from '../../wire/described/webhooks.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { route } from '../http/route.ts'
import { describeApi } from './description/description.ts'

/** All routes that the contract has, and ours. */
export const describedRoutes: DescribedRoutes = {
  ...eventsDescribed,
  ...customersDescribed,
  ...metersDescribed,
  ...entitlementsDescribed,
  ...balancesDescribed,
  ...productsDescribed,
  ...subscriptionsDescribed,
  ...webhooksDescribed,
  'GET /openapi.json': {
    id: 'getDescription',
    summary: 'This description',
    answers: named('Description', anyObject),
    tagged: true,
    ours: true,
  },
}

/** `GET /openapi.json` of these routes, without a key (ours). [requests#description] */
export function openApiRoute(routes: readonly Route[]): Route {
  const own = route('GET', '/openapi.json', 'public', serve)
  const text = JSON.stringify(describeApi([...routes, own], describedRoutes))
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { 'Content-Type': 'application/json', ETag: etag, 'Cache-Control': 'no-cache' }
  return own

  async function serve(request: Request): Promise<Reply> {
    const known = request.header('if-none-match')
    if (known !== null && isNamed(etag, known)) return { status: 304, headers }
    return { status: 200, raw: text, headers }
  }
}

/** `*`, or a list that has it; weak is as good as strong here. [RFC 9110, 13.1.2] */
const isNamed = (etag: string, list: string): boolean =>
  list.trim() === '*' || list.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
