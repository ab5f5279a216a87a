import { orNotFound } from '../../faults.ts'
import type { CreateCreditEntitlement } from '../../operations/credit-entitlements/create-credit-entitlement.ts'
import { createCreditEntitlement } from '../../operations/credit-entitlements/create-credit-entitlement.ts'
import {
  deleteCreditEntitlement,
  undeleteCreditEntitlement,
} from '../../operations/credit-entitlements/delete-credit-entitlement.ts'
import type { UpdateCreditEntitlement } from '../../operations/credit-entitlements/update-credit-entitlement.ts'
import { updateCreditEntitlement } from '../../operations/credit-entitlements/update-credit-entitlement.ts'
import {
  creditEntitlementCreate,
  creditEntitlementUpdate,
  creditEntitlementView,
  entitlementChange,
  wantedEntitlement,
} from '../../wire/credit-entitlement.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseFlag, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { created, noContent, ok, route } from '../http/route.ts'

/** [resources#credit-entitlements] */
export function creditEntitlementRoutes(
  needs: CreateCreditEntitlement & UpdateCreditEntitlement,
): readonly Route[] {
  const { creditEntitlements } = needs
  return [
    route('GET', '/credit-entitlements', 'read', list),
    route('POST', '/credit-entitlements', 'write', create),
    route('GET', '/credit-entitlements/:id', 'read', retrieve),
    route('PATCH', '/credit-entitlements/:id', 'write', update),
    route('DELETE', '/credit-entitlements/:id', 'write', remove),
    route('POST', '/credit-entitlements/:id/undelete', 'write', restore, 'none'),
  ]

  async function list(request: Request): Promise<Reply> {
    const deleted = parseFlag(request, 'deleted') ?? false
    const { businessId } = request.caller
    const found = await creditEntitlements.list(request.caller, deleted, parsePage(request))
    return ok(page(found.map((entitlement) => creditEntitlementView(businessId, entitlement))))
  }

  async function create({ caller, body, at }: Request): Promise<Reply> {
    const command = { wanted: wantedEntitlement(parse(creditEntitlementCreate, body)), at }
    const entitlement = await createCreditEntitlement(needs, caller, command)
    return created(creditEntitlementView(caller.businessId, entitlement))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const id = idOf(request)
    const entitlement = orNotFound(
      await creditEntitlements.get(request.caller, id),
      'credit entitlement',
      id,
    )
    return ok(creditEntitlementView(request.caller.businessId, entitlement))
  }

  async function update(request: Request): Promise<Reply> {
    const change = entitlementChange(parse(creditEntitlementUpdate, request.body))
    const updated = { id: idOf(request), change, at: request.at }
    await updateCreditEntitlement(needs, request.caller, updated)
    return noContent
  }

  async function remove(request: Request): Promise<Reply> {
    const target = { id: idOf(request), at: request.at }
    await deleteCreditEntitlement(needs, request.caller, target)
    return noContent
  }

  async function restore(request: Request): Promise<Reply> {
    const target = { id: idOf(request), at: request.at }
    await undeleteCreditEntitlement(needs, request.caller, target)
    return noContent
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'credit entitlement')
