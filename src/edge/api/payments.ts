import type { ReadPaymentsNeeds } from '../../operations/payments/read-payments.ts'
import { listPayments, readPayment } from '../../operations/payments/read-payments.ts'
import { currencies } from '../../rules/commerce/currency.ts'
import { intentStatuses } from '../../rules/commerce/payments/payment.ts'
import { disputeStatuses } from '../../wire/enums.ts'
import { paymentLinesView, paymentListItem, paymentView } from '../../wire/payment.ts'
import { page } from '../../wire/schemas.ts'
import { parseChoice, parsePage, parseTime } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { parseId, parseText } from './parameters.ts'

/** [resources#payments] */
export function paymentRoutes(needs: ReadPaymentsNeeds): readonly Route[] {
  return [
    route('GET', '/payments', 'read', list),
    route('GET', '/payments/:id', 'read', retrieve),
    route('GET', '/payments/:id/line-items', 'read', lines),
  ]

  async function list(request: Request): Promise<Reply> {
    const wanted = parsePage(request)
    const filter = {
      brandId: parseText(request, 'brand_id'),
      customerId: parseText(request, 'customer_id'),
      productId: parseText(request, 'product_id'),
      subscriptionId: parseText(request, 'subscription_id'),
      currency: parseChoice(request, 'currency', currencies),
      status: parseChoice(request, 'status', intentStatuses),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    // No payment is disputed yet, so none has the status that is asked for.
    if (parseChoice(request, 'dispute_status', disputeStatuses) !== null) return ok(page([]))
    const found = await listPayments(needs, request.caller, { filter, page: wanted })
    return ok(page(found.map(({ payment, customer }) => paymentListItem(payment, customer))))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { businessId } = request.caller
    const found = await readPayment(needs, request.caller, parseId(request, 'id', 'payment'))
    return ok(paymentView(businessId, found.payment, found.customer))
  }

  async function lines(request: Request): Promise<Reply> {
    const found = await readPayment(needs, request.caller, parseId(request, 'id', 'payment'))
    return ok(paymentLinesView(found.payment))
  }
}
