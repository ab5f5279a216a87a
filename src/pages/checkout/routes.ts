import type { Form } from '../../edge/http/form.ts'
import { parseId } from '../../edge/http/path-id.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { pageRoute } from '../../edge/http/route.ts'
import { Fault } from '../../faults.ts'
import { dueOfSession } from '../../operations/checkouts/claim-settling.ts'
import { confirmCheckout } from '../../operations/checkouts/confirm-checkout.ts'
import type { PayCheckoutNeeds } from '../../operations/checkouts/pay-checkout.ts'
import { payCheckout } from '../../operations/checkouts/pay-checkout.ts'
import type { ShownCheckout } from '../../operations/checkouts/show-checkout.ts'
import { priceForPage, showCheckout } from '../../operations/checkouts/show-checkout.ts'
import type { Settles } from '../../rules/commerce/payments/checkout-session.ts'
import type { WrongDetail } from '../../rules/commerce/payments/payer.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import {
  checkoutChoices,
  chosenMethod,
  enteredCard,
  payerDetails,
  shownTotal,
} from '../../wire/checkout-form.ts'
import { pathOfSession, pathOfShort } from '../../wire/checkout-path.ts'
import type { InvoiceLinks } from '../../wire/invoice-link.ts'
import { paymentInvoiceLink } from '../../wire/invoice-link.ts'
import { returnAddress } from '../../wire/return-address.ts'
import { fontOrigins } from './design.ts'
import type { CheckoutPage } from './fields.ts'
import { forPeople } from './for-people.ts'
import { donePage, payPage, refusalPage, sayingPage, settlePage, verifyPage } from './pages.ts'
import { declineText } from './problems.ts'
import { pageReply, seeOther } from './replies.ts'
import { scriptPolicy } from './script.ts'
import type { CheckoutTexts } from './texts/checkout-texts.ts'
import { textsFor } from './texts.ts'

/**
 * The pages on which people pay: no key, nothing of another origin, and no script that they need.
 * [payments#pages]
 */
export function checkoutPages(
  needs: PayCheckoutNeeds & { readonly tokens: Pick<InvoiceLinks, 'sign'> },
): readonly Route[] {
  return [
    pageRoute('GET', '/c/:rest', lead),
    pageRoute('GET', '/checkout/:id', show),
    pageRoute('POST', '/checkout/:id', recalculate),
    pageRoute('POST', '/checkout/:id/pay', pay),
    pageRoute('GET', '/checkout/:id/verify', ask),
    pageRoute('POST', '/checkout/:id/verify', verify),
    pageRoute('GET', '/checkout/:id/done', done),
  ].map(forPeople)

  /** The short address of a session leads to its page. */
  async function lead(request: Request): Promise<Reply> {
    return seeOther(pathOfShort(parseId(request, 'rest', 'checkout session')))
  }

  async function show(request: Request): Promise<Reply> {
    const shown = await shownTo(request)
    const refused = refusedPage(request, shown)
    return refused ?? payReply(request, shown, { status: 200, entered: nothing, wrong: [] })
  }

  /** Shows the page again, with what the person's choices come to; nothing is kept. */
  async function recalculate(request: Request): Promise<Reply> {
    const entered = request.body as Form
    const shown = await shownTo(request)
    const refused = refusedPage(request, shown)
    return refused ?? payReply(request, shown, { status: 200, entered, wrong: [] })
  }

  async function pay(request: Request): Promise<Reply> {
    const form = request.body as Form
    const shown = await shownTo(request)
    const refused = refusedPage(request, shown)
    if (refused !== null) return refused
    const paying = {
      sessionId: shown.session.sessionId,
      details: payerDetails(form),
      choices: checkoutChoices(form),
      agreedTotal: shownTotal(form),
      card: enteredCard(form),
      paymentMethodId: chosenMethod(form),
    }
    const paid = await payCheckout(needs, request.mode, paying).catch(orHeld).catch(orGone)
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
    const page = pageOf(request, shown)
    return shownReply(200, page, verifyPage(page))
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
    const { payment, scope } = shown
    // On this very host, so without its name.
    const links = { base: '', mode: scope.mode, sign: needs.tokens.sign }
    const { url } = paymentInvoiceLink(links, payment, null)
    const of = {
      saying: isPaid ? texts.done : pendingText(shown, texts),
      isPaid,
      invoiceUrl: url,
      backUrl: backTo(shown, payment),
    }
    return shownReply(200, page, donePage(page, of))
  }

  /** Where the person goes when the attempt is over, for now. */
  async function answered(request: Request, entered: Form, payment: Payment): Promise<Reply> {
    const path = pathOf(request)
    if (payment.status === 'requires_customer_action') return seeOther(`${path}/verify`)
    const shown = await shownTo(request)
    if (payment.status === 'failed') {
      if (shown.state !== 'open') return endedPage(request, shown)
      return payReply(request, shown, { status: 402, entered, wrong: [] })
    }
    const back = shown.session.request.returnsAtOnce ? backTo(shown, payment) : null
    return seeOther(back ?? `${path}/done`)
  }

  function shownTo(request: Request): Promise<ShownCheckout> {
    return showCheckout(needs, request.mode, sessionIdOf(request))
  }

  async function payReply(request: Request, shown: ShownCheckout, of: Answering): Promise<Reply> {
    const { customer, isNamed, payment, session } = shown
    const { settles } = session.request
    if (settles !== null) return settleReply(request, shown, { ...of, settles })
    const { entered } = of
    const details = payerDetails(entered)
    const choices = checkoutChoices(entered)
    const { wrong, ...priced } = await priceForPage(needs, shown, { details, choices })
    const plain = pageOf(request, shown)
    const page = {
      ...plain,
      ...priced,
      request: session.request,
      known: isNamed ? customer : null,
      takesCard: needs.processors[request.mode].enter !== null,
      isFirstStep: session.request.look.inSteps && entered.size === 0 && payment === null,
      entered,
      wrong: [...of.wrong, ...wrong],
      declined: declineText(payment, plain),
    }
    return formReply(of.status, page, payPage(page))
  }

  /** The same of a session that sells nothing. */
  async function settleReply(
    request: Request,
    shown: ShownCheckout,
    { settles, status, wrong }: Answering & { readonly settles: Settles },
  ): Promise<Reply> {
    const { payment, scope, session } = shown
    const due = await dueOfSession(needs, scope, {
      at: request.at,
      latest: payment,
      session,
      settles,
    })
    const plain = pageOf(request, shown)
    const page = {
      ...plain,
      due,
      entered: nothing,
      wrong,
      savedMethods: [],
      takesCard: needs.processors[request.mode].enter !== null,
      declined: declineText(payment, plain),
    }
    return formReply(status, page, settlePage(page))
  }
}

interface Answering {
  readonly status: number
  readonly entered: Form
  readonly wrong: readonly WrongDetail[]
}

/** Where the seller wants the person back; null: nowhere. */
function backTo(shown: ShownCheckout, payment: Payment): string | null {
  const { customer, licenseKeys, session, subscription } = shown
  const { returnUrl } = session.request
  if (returnUrl === null) return null
  const email = customer?.email ?? ''
  return returnAddress(returnUrl, { payment, subscription, email, licenseKeys })
}

/** A page in the seller's design, with the fonts of it. */
const shownReply = (status: number, page: CheckoutPage, raw: string): Reply =>
  pageReply(status, raw, fontsOf(page))

/** A page with a form, and with what a script makes better of it. */
const formReply = (status: number, page: CheckoutPage, raw: string): Reply =>
  pageReply(status, raw, [scriptPolicy, ...fontsOf(page)])

function fontsOf({ look }: CheckoutPage): readonly string[] {
  const origins = fontOrigins(look.design)
  return origins.length === 0 ? [] : [`font-src ${origins.join(' ')}`]
}

const nothing: Form = new Map()

const sessionIdOf = (request: Request): string => parseId(request, 'id', 'checkout session')

const pathOf = (request: Request): string => pathOfSession(sessionIdOf(request))

function pageOf(request: Request, { session, scope }: ShownCheckout): CheckoutPage {
  const { look } = session.request
  return {
    path: pathOf(request),
    look,
    isTest: scope.mode === 'test',
    ...textsFor(look.language, request.header('accept-language')),
  }
}

const pendingText = ({ payment }: ShownCheckout, texts: CheckoutTexts): string =>
  payment?.processor === 'manual' ? texts.sellerConfirms : texts.processing

/** Why the one attempt that there could be has failed, and that there is no other. */
function endedPage(request: Request, shown: ShownCheckout): Reply {
  const page = pageOf(request, shown)
  const why = shown.payment?.errorMessage ?? ''
  return shownReply(402, page, refusalPage(page, page.texts.expired, why))
}

/** What a session says that nobody can pay now; null: somebody can. */
function refusedPage(request: Request, shown: ShownCheckout): Reply | null {
  const page = pageOf(request, shown)
  switch (shown.state) {
    case 'open':
      return null
    case 'busy':
      return shownReply(200, page, sayingPage(page, pendingText(shown, page.texts)))
    case 'consumed':
      return shownReply(410, page, sayingPage(page, page.texts.paid))
    case 'expired':
      return shownReply(410, page, sayingPage(page, page.texts.expired))
  }
}

/** Somebody else is paying with the last use of a code: the page says so beside the field. */
function orHeld(error: unknown): { readonly wrong: readonly WrongDetail[] } {
  if (error instanceof Fault && error.code === 'DISCOUNT_CONCURRENT_REDEMPTION') {
    return { wrong: [{ field: 'discount_code', problem: error.message }] }
  }
  throw error
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
