import type { Form } from '../../edge/http/form.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { route } from '../../edge/http/route.ts'
import { Fault } from '../../faults.ts'
import { confirmCheckout } from '../../operations/checkouts/confirm-checkout.ts'
import type { PayCheckoutNeeds } from '../../operations/checkouts/pay-checkout.ts'
import { payCheckout } from '../../operations/checkouts/pay-checkout.ts'
import type { ShownCheckout } from '../../operations/checkouts/show-checkout.ts'
import { showCheckout } from '../../operations/checkouts/show-checkout.ts'
import type { WrongDetail } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { enteredCard, payerDetails } from '../../wire/checkout-form.ts'
import { returnAddress } from '../../wire/return-address.ts'
import type { CheckoutPage } from './pages.ts'
import { payPage, sayingPage, verifyPage } from './pages.ts'
import { sessionIdOf } from './session-id.ts'
import type { CheckoutTexts } from './texts.ts'
import { textsFor } from './texts.ts'

/**
 * The pages on which people pay: no key, no script, nothing of another origin. [payments#pages]
 */
export function checkoutPages(needs: PayCheckoutNeeds): readonly Route[] {
  return [
    route('GET', '/checkout/:id', 'public', show),
    route('POST', '/checkout/:id/pay', 'public', pay, 'form'),
    route('GET', '/checkout/:id/verify', 'public', ask),
    route('POST', '/checkout/:id/verify', 'public', verify, 'form'),
    route('GET', '/checkout/:id/done', 'public', done),
  ]

  async function show(request: Request): Promise<Reply> {
    const shown = await shownTo(request)
    const refused = refusedPage(request, shown)
    return refused ?? payReply(request, shown, { status: 200, entered: nothing, wrong: [] })
  }

  async function pay(request: Request): Promise<Reply> {
    const form = request.body as Form
    const shown = await shownTo(request)
    const refused = refusedPage(request, shown)
    if (refused !== null) return refused
    const paying = {
      sessionId: shown.session.sessionId,
      details: payerDetails(form),
      card: enteredCard(form),
    }
    const paid = await payCheckout(needs, request.mode, paying).catch(orGone)
    if (paid === null) return show(request)
    if ('wrong' in paid) {
      return payReply(request, shown, { status: 422, entered: form, wrong: paid.wrong })
    }
    return answered(request, form, paid.payment)
  }

  async function ask(request: Request): Promise<Reply> {
    const shown = await shownTo(request)
    const refused = refusedPage(request, shown)
    if (refused !== null) return refused
    if (shown.payment?.status !== 'requires_customer_action') return seeOther(pathOf(request))
    return pageReply(200, verifyPage(pageOf(request, shown)))
  }

  async function verify(request: Request): Promise<Reply> {
    const outcome = (request.body as Form).get('outcome')
    if (outcome !== 'pass' && outcome !== 'fail') {
      throw new Fault('INVALID_REQUEST_BODY', 'outcome must be pass or fail.')
    }
    const sessionId = sessionIdOf(request)
    const confirmed = await confirmCheckout(needs, request.mode, {
      sessionId,
      passed: outcome === 'pass',
    }).catch(orGone)
    if (confirmed === null) return show(request)
    return answered(request, nothing, confirmed.payment)
  }

  async function done(request: Request): Promise<Reply> {
    const shown = await shownTo(request)
    const page = pageOf(request, shown)
    if (shown.payment === null) return seeOther(pathOf(request))
    const { texts } = page
    const isPaid = shown.payment.status === 'succeeded'
    return pageReply(200, sayingPage(page, isPaid ? texts.done : pendingText(shown, texts)))
  }

  /** Where the person goes when the attempt is over, for now. */
  async function answered(request: Request, entered: Form, payment: Payment): Promise<Reply> {
    const path = pathOf(request)
    if (payment.status === 'requires_customer_action') return seeOther(`${path}/verify`)
    const shown = await shownTo(request)
    if (payment.status === 'failed') {
      return payReply(request, shown, { status: 402, entered, wrong: [] })
    }
    const { returnUrl } = shown.session.request
    const { customer, subscription } = shown
    if (returnUrl === null) return seeOther(`${path}/done`)
    const email = customer?.email ?? ''
    return seeOther(returnAddress(returnUrl, { payment, subscription, email }))
  }

  function shownTo(request: Request): Promise<ShownCheckout> {
    return showCheckout(needs, request.mode, sessionIdOf(request))
  }

  function payReply(
    request: Request,
    shown: ShownCheckout,
    of: {
      readonly status: number
      readonly entered: Form
      readonly wrong: readonly WrongDetail[]
    },
  ): Reply {
    const { cart, customer, isNamed, payment, session } = shown
    const page = payPage({
      ...pageOf(request, shown),
      cart,
      request: session.request,
      known: isNamed ? customer : null,
      takesCard: needs.processors[request.mode].enter !== null,
      entered: of.entered,
      wrong: of.wrong,
      declined: payment?.status === 'failed' ? payment.errorMessage : null,
    })
    return pageReply(of.status, page)
  }
}

const nothing: Form = new Map()

const pathOf = (request: Request): string => `/checkout/${sessionIdOf(request)}`

function pageOf(request: Request, { session, scope }: ShownCheckout): CheckoutPage {
  const { look } = session.request
  return {
    path: pathOf(request),
    theme: look.theme,
    isTest: scope.mode === 'test',
    ...textsFor(look.language, request.header('accept-language')),
  }
}

const pendingText = ({ payment }: ShownCheckout, texts: CheckoutTexts): string =>
  payment?.processor === 'manual' ? texts.sellerConfirms : texts.processing

/** What a session says that nobody can pay now; null: somebody can. */
function refusedPage(request: Request, shown: ShownCheckout): Reply | null {
  const page = pageOf(request, shown)
  switch (shown.state) {
    case 'open':
      return null
    case 'busy':
      return pageReply(200, sayingPage(page, pendingText(shown, page.texts)))
    case 'consumed':
      return pageReply(410, sayingPage(page, page.texts.paid))
    case 'expired':
      return pageReply(410, sayingPage(page, page.texts.expired))
  }
}

/** Somebody else was faster: the page says so. */
function orGone(error: unknown): null {
  const codes = [
    'CHECKOUT_SESSION_CONSUMED',
    'CHECKOUT_SESSION_EXPIRED',
    'PREVIOUS_PAYMENT_PENDING',
  ]
  if (error instanceof Fault && codes.includes(error.code)) return null
  throw error
}

const seeOther = (location: string): Reply => ({
  status: 303,
  raw: '',
  headers: { Location: location, 'Content-Type': 'text/plain', ...safe },
})

const pageReply = (status: number, raw: string): Reply => ({
  status,
  raw,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...safe },
})

/** Nothing is loaded, nothing is cached, and no other page shows it in a frame. */
const safe = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const
