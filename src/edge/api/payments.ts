import type { OpenPaymentNeeds } from '../../operations/payments/open-payment.ts'
import { openPayment } from '../../operations/payments/open-payment.ts'
import type { ReadPayment, ReadPaymentsNeeds } from '../../operations/payments/read-payments.ts'
import { listPayments, readPayment } from '../../operations/payments/read-payments.ts'
import type { Invoices } from '../../parts/store/invoices.ts'
import { currencies } from '../../rules/commerce/currency.ts'
import { disputeStatuses } from '../../rules/commerce/disputes/dispute.ts'
import { intentStatuses } from '../../rules/commerce/payments/payment.ts'
import type { InvoiceLinks } from '../../wire/invoice-link.ts'
import { paymentInvoiceLink } from '../../wire/invoice-link.ts'
import type { BesidePayment } from '../../wire/payment.ts'
import { paymentLinesView, paymentListItem, paymentView } from '../../wire/payment.ts'
import {
  asksForLink,
  checkoutOfPayment,
  paymentCreate,
  paymentCreated,
} from '../../wire/payment-create.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseChoice, parsePage, parseTime } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'
import { checkoutLink, methodIn, requestOf } from './checkouts.ts'
import { parseText } from './parameters.ts'

export interface PaymentRouteNeeds extends ReadPaymentsNeeds, OpenPaymentNeeds {
  readonly invoices: Invoices
  readonly tokens: Pick<InvoiceLinks, 'sign'>
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** [resources#payments] */
export function paymentRoutes(needs: PaymentRouteNeeds): readonly Route[] {
  return [
    route('GET', '/payments', 'read', list),
    route('POST', '/payments', 'write', create),
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
      disputeStatus: parseChoice(request, 'dispute_status', disputeStatuses),
      createdFrom: parseTime(request, 'created_at_gte'),
      createdTo: parseTime(request, 'created_at_lte'),
    }
    const found = await listPayments(needs, request.caller, { filter, page: wanted })
    const items = found.map((each) =>
      paymentListItem(each.payment, beside(request, each), each.hasLicenseKey),
    )
    return ok(page(items))
  }

  /** The older way to be paid; a checkout session is the newer one. */
  async function create(request: Request): Promise<Reply> {
    const body = parse(paymentCreate, request.body)
    const checkout = checkoutOfPayment(body)
    const asked = requestOf(checkout)
    const paymentMethodId = methodIn(checkout, true)
    const linkTo = asksForLink(body) ? checkoutLink(request, needs.publicUrl, body) : null
    const opened = await openPayment(needs, request.caller, {
      request: asked,
      linkTo,
      mayRenew: false,
      paymentMethodId,
    })
    return ok(paymentCreated(opened))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const { businessId } = request.caller
    const found = await readPayment(needs, request.caller, parseId(request, 'id', 'payment'))
    return ok(paymentView(businessId, found.payment, { ...found, ...beside(request, found) }))
  }

  async function lines(request: Request): Promise<Reply> {
    const found = await readPayment(needs, request.caller, parseId(request, 'id', 'payment'))
    return ok(paymentLinesView(found.payment, found))
  }

  function beside(request: Request, found: ReadPayment): BesidePayment {
    const { customer, hasDeliveredFiles, invoiceNumber, payment } = found
    const { mode } = request.caller
    const links = { mode, base: baseUrlOf(request, needs.publicUrl), sign: needs.tokens.sign }
    const invoice = paymentInvoiceLink(links, payment, invoiceNumber)
    return { customer, hasDeliveredFiles, invoice }
  }
}
