import { Fault, orNotFound } from '../../faults.ts'
import type { ChangeDiscount } from '../../operations/discounts/change-discount.ts'
import { deleteDiscount, updateDiscount } from '../../operations/discounts/change-discount.ts'
import type { CreateDiscount } from '../../operations/discounts/create-discount.ts'
import { createDiscount } from '../../operations/discounts/create-discount.ts'
import type { DiscountCustomersNeeds } from '../../operations/discounts/discount-customers.ts'
import {
  attachCustomers,
  customersOfDiscount,
  detachCustomer,
} from '../../operations/discounts/discount-customers.ts'
import type { Discounts } from '../../parts/store/discounts.ts'
import { discountTypes } from '../../rules/commerce/discounts/discount.ts'
import { codeInCapitals } from '../../rules/commerce/discounts/discount-rules.ts'
import { isStorable } from '../../std/text.ts'
import { customerView } from '../../wire/customer.ts'
import {
  discountChanges,
  discountCreate,
  discountCustomers,
  discountCustomersView,
  discountUpdate,
  discountView,
  wantedCustomers,
  wantedDiscount,
} from '../../wire/discount.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseChoice, parseFlag, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import { parseText } from './parameters.ts'

export interface DiscountNeeds extends CreateDiscount, ChangeDiscount, DiscountCustomersNeeds {
  readonly discounts: Discounts
}

/** [resources#discounts] */
export function discountRoutes(needs: DiscountNeeds): readonly Route[] {
  const { discounts } = needs
  const base = '/discounts/:discount_id'
  return [
    route('GET', '/discounts', 'read', list),
    route('POST', '/discounts', 'write', create),
    route('GET', '/discounts/code/:code', 'read', retrieveByCode),
    route('GET', base, 'read', retrieve),
    route('PATCH', base, 'write', update),
    route('DELETE', base, 'write', remove),
    route('GET', `${base}/customers`, 'read', listCustomers),
    route('POST', `${base}/customers`, 'write', attach),
    route('DELETE', `${base}/customers/:customer_id`, 'write', detach),
  ]

  async function list(request: Request): Promise<Reply> {
    const code = parseText(request, 'code')
    const filter = {
      active: parseFlag(request, 'active'),
      at: request.at,
      code: code === null ? null : codeInCapitals(code),
      type: parseChoice(request, 'discount_type', discountTypes),
      productId: parseText(request, 'product_id'),
    }
    const found = await discounts.list(request.caller, filter, parsePage(request))
    return ok(page(found.map((discount) => discountView(request.caller.businessId, discount))))
  }

  async function create({ caller, body, at }: Request): Promise<Reply> {
    const command = { wanted: wantedDiscount(parse(discountCreate, body)), at }
    return ok(discountView(caller.businessId, await createDiscount(needs, caller, command)))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const id = idOf(request)
    const discount = orNotFound(await discounts.get(request.caller, id), 'discount', id)
    return ok(discountView(request.caller.businessId, discount))
  }

  /** Whatever its state, so that a shop can say why a code does nothing. */
  async function retrieveByCode(request: Request): Promise<Reply> {
    const code = request.param('code')
    const found = isStorable(code)
      ? await discounts.withCode(request.caller, codeInCapitals(code))
      : null
    if (found === null) {
      throw new Fault('NOT_FOUND', `There is no discount with the code '${code.slice(0, 255)}'.`)
    }
    return ok(discountView(request.caller.businessId, found))
  }

  async function update(request: Request): Promise<Reply> {
    const { caller, at } = request
    const changes = discountChanges(parse(discountUpdate, request.body))
    const discount = await updateDiscount(needs, caller, { id: idOf(request), changes, at })
    return ok(discountView(caller.businessId, discount))
  }

  async function remove(request: Request): Promise<Reply> {
    await deleteDiscount(needs, request.caller, { id: idOf(request), at: request.at })
    return noContent
  }

  async function listCustomers(request: Request): Promise<Reply> {
    const wanted = { id: idOf(request), page: parsePage(request) }
    const found = await customersOfDiscount(needs, request.caller, wanted)
    return ok(page(found.map((customer) => customerView(request.caller.businessId, customer))))
  }

  async function attach(request: Request): Promise<Reply> {
    const { caller, at } = request
    const customerIds = wantedCustomers(parse(discountCustomers, request.body))
    await attachCustomers(needs, caller, { id: idOf(request), customerIds, at })
    return ok(discountCustomersView(customerIds))
  }

  async function detach(request: Request): Promise<Reply> {
    const id = idOf(request)
    const customerId = parseId(request, 'customer_id', 'attached customer')
    await detachCustomer(needs, request.caller, { id, customerId })
    return noContent
  }
}

const idOf = (request: Request): string => parseId(request, 'discount_id', 'discount')
