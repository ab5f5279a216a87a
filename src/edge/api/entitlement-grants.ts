import { orNotFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { FindEntitlementNeeds } from '../../operations/entitlements/change-entitlement.ts'
import { findEntitlement } from '../../operations/entitlements/change-entitlement.ts'
import type { ChangeGrantNeeds, ShownGrant } from '../../operations/entitlements/change-grant.ts'
import {
  fulfilLicenseKey,
  hearOfGrant,
  revokeGrant,
} from '../../operations/entitlements/change-grant.ts'
import { grantObjects } from '../../operations/entitlements/grant-objects.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { GrantFilter } from '../../parts/store/entitlement-grants.ts'
import { grantStatuses } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import { integrationTypes } from '../../rules/commerce/entitlements/product-entitlement.ts'
import { grantTold } from '../../rules/facts/grant-facts.ts'
import {
  customerGrantView,
  entitlementGrantView,
  fulfilLicenseKeyBody,
  fulfilmentBody,
  fulfilmentNews,
  sellersKey,
} from '../../wire/entitlement-grant.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseChoice, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import type { DownloadNeeds } from './base-url.ts'
import { downloadPlaceOf } from './base-url.ts'
import { parseText } from './parameters.ts'

export interface GrantRouteNeeds extends ChangeGrantNeeds, FindEntitlementNeeds, DownloadNeeds {
  readonly customers: Pick<Customers, 'get'>
  readonly productEntitlements: FindEntitlementNeeds['productEntitlements'] &
    ChangeGrantNeeds['productEntitlements']
}

/** [entitlements#grants, entitlements#fulfilment] */
export function grantRoutes(needs: GrantRouteNeeds): readonly Route[] {
  return [
    route('GET', '/entitlements/:id/grants', 'read', list),
    route('GET', '/customers/:customer_id/entitlements', 'read', summaries),
    route('GET', '/customers/:customer_id/entitlement-grants', 'read', listOfCustomer),
    route('DELETE', '/entitlements/:id/grants/:grant_id', 'write', revoke),
    route('POST', '/grants/:grant_id/license-key', 'write', fulfil),
    route('POST', '/grants/:grant_id/fulfillment', 'write', hear),
  ]

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const { entitlementId } = await findEntitlement(needs, caller, entitlementIdOf(request))
    const filter = {
      entitlementId,
      customerId: parseText(request, 'customer_id'),
      status: parseChoice(request, 'status', grantStatuses),
      type: null,
    }
    return listed(request, filter)
  }

  async function listOfCustomer(request: Request): Promise<Reply> {
    return listed(request, {
      entitlementId: null,
      customerId: await knownCustomer(request),
      status: parseChoice(request, 'status', grantStatuses),
      type: parseChoice(request, 'integration_type', integrationTypes),
    })
  }

  async function listed(request: Request, filter: GrantFilter): Promise<Reply> {
    const { caller } = request
    const grants = await needs.entitlementGrants.list(caller, filter, parsePage(request))
    const parts = await grantObjects(needs, caller, { grants })
    return ok(page(grants.map((grant) => view(request, { grant, parts }))))
  }

  /** The newest ones: the list of grants has pages. */
  async function summaries(request: Request): Promise<Reply> {
    const { caller } = request
    const customerId = await knownCustomer(request)
    const filter = { entitlementId: null, customerId, status: null, type: null }
    const newest = { limit: limits.grantSummariesMax, offset: 0 }
    const grants = await needs.entitlementGrants.list(caller, filter, newest)
    const ids = [...new Set(grants.map((grant) => grant.entitlementId))]
    const entitlements = await needs.productEntitlements.many(caller, ids)
    return ok(
      page(grants.map((grant) => customerGrantView(grant, entitlements.get(grant.entitlementId)))),
    )
  }

  async function knownCustomer(request: Request): Promise<string> {
    const customerId = parseId(request, 'customer_id', 'customer')
    orNotFound(await needs.customers.get(request.caller, customerId), 'customer', customerId)
    return customerId
  }

  async function revoke(request: Request): Promise<Reply> {
    const { caller, at } = request
    const target = { entitlementId: entitlementIdOf(request), grantId: grantIdOf(request), at }
    return ok(view(request, await revokeGrant(needs, caller, target)))
  }

  async function fulfil(request: Request): Promise<Reply> {
    const given = sellersKey(parse(fulfilLicenseKeyBody, request.body))
    const target = { grantId: grantIdOf(request), at: request.at, given }
    return ok(view(request, await fulfilLicenseKey(needs, request.caller, target)))
  }

  async function hear(request: Request): Promise<Reply> {
    const news = fulfilmentNews(parse(fulfilmentBody, request.body))
    const target = { grantId: grantIdOf(request), at: request.at, news }
    return ok(view(request, await hearOfGrant(needs, request.caller, target)))
  }

  function view(request: Request, { grant, parts }: ShownGrant) {
    const told = grantTold(grant, parts)
    if (told === null) throw new Error(`The entitlement of the grant ${grant.grantId} is gone.`)
    return entitlementGrantView(downloadPlaceOf(request, needs), told)
  }
}

const entitlementIdOf = (request: Request): string => parseId(request, 'id', 'entitlement')
const grantIdOf = (request: Request): string => parseId(request, 'grant_id', 'grant')
