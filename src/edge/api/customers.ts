import { orNotFound } from '../../faults.ts'
import type { CreateCustomer } from '../../operations/customers/create-customer.ts'
import { createCustomer } from '../../operations/customers/create-customer.ts'
import type { CustomerCreditsNeeds } from '../../operations/customers/credit-entitlements.ts'
import { customerCredits } from '../../operations/customers/credit-entitlements.ts'
import type { UpdateCustomer } from '../../operations/customers/update-customer.ts'
import { updateCustomer } from '../../operations/customers/update-customer.ts'
import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import type { DeletePaymentMethod } from '../../operations/payment-methods/delete-payment-method.ts'
import { deletePaymentMethod } from '../../operations/payment-methods/delete-payment-method.ts'
import type { Customers } from '../../parts/store/customers.ts'
import { customerCreditView } from '../../wire/credit-balance.ts'
import {
  customerChanges,
  customerCreate,
  customerUpdate,
  customerView,
  wantedCustomer,
} from '../../wire/customer.ts'
import { paymentMethodView } from '../../wire/payment-method.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import { parseText } from './parameters.ts'

export interface CustomerNeeds
  extends CreateCustomer,
    UpdateCustomer,
    CustomerCreditsNeeds,
    DeletePaymentMethod {
  readonly customers: Customers
  readonly positions: PositionNeeds
}

/** [resources#customers] */
export function customerRoutes(needs: CustomerNeeds): readonly Route[] {
  const { customers, paymentMethods } = needs
  return [
    route('GET', '/customers', 'read', list),
    route('POST', '/customers', 'write', create),
    route('GET', '/customers/:customer_id', 'read', retrieve),
    route('PATCH', '/customers/:customer_id', 'write', update),
    route('GET', '/customers/:customer_id/credit-entitlements', 'read', listCredits),
    route('GET', '/customers/:customer_id/payment-methods', 'read', listPaymentMethods),
    route(
      'DELETE',
      '/customers/:customer_id/payment-methods/:payment_method_id',
      'write',
      removePaymentMethod,
    ),
  ]

  async function list(request: Request): Promise<Reply> {
    const filter = {
      email: parseText(request, 'email'),
      name: parseText(request, 'name'),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const found = await customers.list(request.caller, filter, parsePage(request))
    return ok(page(found.map((customer) => customerView(request.caller.businessId, customer))))
  }

  async function create({ caller, body, at }: Request): Promise<Reply> {
    const command = { wanted: wantedCustomer(parse(customerCreate, body)), at }
    return ok(customerView(caller.businessId, await createCustomer(needs, caller, command)))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const customerId = parseId(request, 'customer_id', 'customer')
    const customer = orNotFound(
      await customers.get(request.caller, customerId),
      'customer',
      customerId,
    )
    return ok(customerView(request.caller.businessId, customer))
  }

  async function update(request: Request): Promise<Reply> {
    const { caller, at } = request
    const changes = customerChanges(parse(customerUpdate, request.body))
    const customerId = parseId(request, 'customer_id', 'customer')
    const customer = await updateCustomer(needs, caller, { customerId, changes, at })
    return ok(customerView(caller.businessId, customer))
  }

  async function listPaymentMethods(request: Request): Promise<Reply> {
    const customerId = parseId(request, 'customer_id', 'customer')
    orNotFound(await customers.get(request.caller, customerId), 'customer', customerId)
    const methods = await paymentMethods.ofCustomer(request.caller, customerId)
    return ok(page(methods.map(paymentMethodView)))
  }

  async function removePaymentMethod(request: Request): Promise<Reply> {
    const customerId = parseId(request, 'customer_id', 'customer')
    const paymentMethodId = parseId(request, 'payment_method_id', 'payment method')
    const { at, caller } = request
    await deletePaymentMethod(needs, caller, { customerId, paymentMethodId, at })
    return noContent
  }

  async function listCredits(request: Request): Promise<Reply> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const customerId = parseId(request, 'customer_id', 'customer')
    const credits = await customerCredits(needs, request.caller, customerId)
    return ok(page(credits.map(customerCreditView)))
  }
}
