import type { Form } from '../../edge/http/form.ts'
import { parseId } from '../../edge/http/path-id.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { pageRoute } from '../../edge/http/route.ts'
import { notFound } from '../../faults.ts'
import { accountIdOf } from '../../operations/accounts/account-id.ts'
import { settleForReading } from '../../operations/accounts/settle-accounts.ts'
import { customerCredits } from '../../operations/customers/credit-entitlements.ts'
import type { PortalVisit } from '../../operations/portal/portal-link.ts'
import { enterPortal } from '../../operations/portal/portal-link.ts'
import type { ShowPortalNeeds } from '../../operations/portal/show-portal.ts'
import { showPortal } from '../../operations/portal/show-portal.ts'
import { visitorFile } from '../../operations/portal/visitor-grants.ts'
import {
  enterVisitorMethod,
  removeVisitorMethod,
  useVisitorMethod,
} from '../../operations/portal/visitor-methods.ts'
import {
  cancelVisitorSubscription,
  changeVisitorPlan,
  offeredPlans,
  unscheduleVisitorPlan,
  visitorSubscription,
} from '../../operations/portal/visitor-subscription.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import { pathOfSession } from '../../wire/checkout-path.ts'
import { downloadUrl } from '../../wire/download-link.ts'
import type { InvoiceLinks } from '../../wire/invoice-link.ts'
import { paymentInvoiceLink } from '../../wire/invoice-link.ts'
import { forPeople } from '../checkout/for-people.ts'
import { pageReply, seeOther } from '../checkout/replies.ts'
import { textsFor } from '../checkout/texts.ts'
import { cancelPage, creditsPage, overviewPage, plansPage } from './pages.ts'
import type { PortalPage } from './parts.ts'
import { portalTexts } from './texts.ts'

/** More entries nobody reads on one page; the API has them all. */
const entriesMost = 100

/**
 * The customer's portal. The token in the path is all that lets anybody in: no cookie is set or
 * read, so that no page of another origin can act for the customer. [payments#portal]
 */
export function portalPages(
  needs: ShowPortalNeeds & {
    readonly tokens: Pick<InvoiceLinks, 'sign'>
    readonly downloads: Pick<SignedTokens, 'sign'>
  },
): readonly Route[] {
  const own = '/portal/:token/subscriptions/:id'
  return [
    visited('GET', '/portal/:token', overview),
    visited('GET', '/portal/:token/credits/:id', credits),
    visited('GET', `${own}/cancel`, askToCancel),
    visited('POST', `${own}/cancel`, (request, visit) => cancels(request, visit, true)),
    visited('POST', `${own}/keep`, (request, visit) => cancels(request, visit, false)),
    visited('GET', `${own}/plan`, plans),
    visited('POST', `${own}/plan`, changePlan),
    visited('POST', `${own}/keep-plan`, keepPlan),
    visited('POST', `${own}/method`, useMethod),
    visited('POST', `${own}/card`, enterCard),
    visited('POST', '/portal/:token/methods/:id/remove', removeMethod),
    visited('GET', '/portal/:token/grants/:id/files/:file_id', download),
  ]

  function visited(
    method: 'GET' | 'POST',
    pattern: string,
    handler: (request: Request, visit: PortalVisit) => Promise<Reply>,
  ): Route {
    const enter = (request: Request): Promise<PortalVisit> =>
      enterPortal(needs, request.mode, request.param('token'))
    return forPeople(
      pageRoute(method, pattern, async (request) => handler(request, await enter(request))),
    )
  }

  async function overview(request: Request, visit: PortalVisit): Promise<Reply> {
    const shown = await showPortal(needs, visit)
    // On this very host, so without its name.
    const links = { base: '', mode: visit.scope.mode, sign: needs.tokens.sign }
    const invoices = new Map(
      shown.payments.map((payment) => {
        return [payment.paymentId, paymentInvoiceLink(links, payment, null).url] as const
      }),
    )
    return pageReply(200, overviewPage(pageOf(request, visit), { ...shown, invoices }))
  }

  async function credits(request: Request, visit: PortalVisit): Promise<Reply> {
    const { scope, customer, at } = visit
    const { customerId } = customer
    const entitlementId = parseId(request, 'id', 'credit')
    const all = await customerCredits(needs, scope, customerId)
    const held = all.find(({ read }) => read.entitlementId === entitlementId)
    if (held === undefined) throw notFound('credit', entitlementId)
    const key = { ...scope, customerId, entitlementId }
    await settleForReading(needs, key)
    const page = { limit: entriesMost, offset: 0 }
    const id = accountIdOf(key)
    const [grants, entries] = await Promise.all([
      needs.ledger.grants(id, { status: 'active', at }, page),
      needs.ledger.entries(id, { type: null, from: null, to: null }, page),
    ])
    return pageReply(200, creditsPage(pageOf(request, visit), held, { grants, entries }))
  }

  async function askToCancel(request: Request, visit: PortalVisit): Promise<Reply> {
    const shown = await shownFor(request, visit)
    return pageReply(200, cancelPage(pageOf(request, visit), shown))
  }

  async function cancels(request: Request, visit: PortalVisit, ends: boolean): Promise<Reply> {
    const subscriptionId = subscriptionIdOf(request)
    await cancelVisitorSubscription(needs, visit, { subscriptionId, ends })
    return seeOther(pathOf(request))
  }

  async function plans(request: Request, visit: PortalVisit): Promise<Reply> {
    const shown = await shownFor(request, visit)
    const offered = await offeredPlans(needs, visit, shown.subscription)
    return pageReply(200, plansPage(pageOf(request, visit), shown, offered))
  }

  async function changePlan(request: Request, visit: PortalVisit): Promise<Reply> {
    const subscriptionId = subscriptionIdOf(request)
    const productId = (request.body as Form).get('product_id') ?? ''
    await changeVisitorPlan(needs, visit, { subscriptionId, productId })
    return seeOther(pathOf(request))
  }

  async function keepPlan(request: Request, visit: PortalVisit): Promise<Reply> {
    await unscheduleVisitorPlan(needs, visit, subscriptionIdOf(request))
    return seeOther(pathOf(request))
  }

  async function useMethod(request: Request, visit: PortalVisit): Promise<Reply> {
    const subscriptionId = subscriptionIdOf(request)
    const paymentMethodId = (request.body as Form).get('payment_method_id') ?? ''
    await useVisitorMethod(needs, visit, { subscriptionId, paymentMethodId })
    return seeOther(pathOf(request))
  }

  /** The card is entered on a page of its own, which nobody can find but by its session. */
  async function enterCard(request: Request, visit: PortalVisit): Promise<Reply> {
    return seeOther(
      pathOfSession(await enterVisitorMethod(needs, visit, subscriptionIdOf(request))),
    )
  }

  async function removeMethod(request: Request, visit: PortalVisit): Promise<Reply> {
    await removeVisitorMethod(needs, visit, parseId(request, 'id', 'payment method'))
    return seeOther(pathOf(request))
  }

  /** A link to a file lives for minutes, and the page for a day: so each click has a new one. */
  async function download(request: Request, visit: PortalVisit): Promise<Reply> {
    const [id, fileId] = [parseId(request, 'id', 'grant'), parseId(request, 'file_id', 'file')]
    await visitorFile(needs, visit, { grantId: id, fileId })
    const { businessId, mode } = visit.scope
    const links = { base: '', businessId, mode, at: visit.at, signDownload: needs.downloads.sign }
    return seeOther(downloadUrl(links, { kind: 'grant', id }, fileId))
  }

  async function shownFor(request: Request, visit: PortalVisit) {
    const subscription = await visitorSubscription(needs, visit, subscriptionIdOf(request))
    const product = await needs.products.get(visit.scope, subscription.productId)
    return { subscription, productName: product?.name ?? subscription.productId }
  }
}

const subscriptionIdOf = (request: Request): string => parseId(request, 'id', 'subscription')

const pathOf = (request: Request): string => `/portal/${request.param('token')}`

function pageOf(request: Request, { customer, returnUrl, scope }: PortalVisit): PortalPage {
  const { language } = textsFor(null, request.header('accept-language'))
  const texts = portalTexts[language]
  if (texts === undefined) throw new Error(`The portal does not speak ${language}.`)
  const isTest = scope.mode === 'test'
  return { path: pathOf(request), language, texts, isTest, customer, returnUrl }
}
