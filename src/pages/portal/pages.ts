import type { ShownPortal, ShownSubscription } from '../../operations/portal/show-portal.ts'
import type { OfferedPlan } from '../../operations/portal/visitor-subscription.ts'
import type { HeldCredits } from '../../rules/accounts/read-account.ts'
import type { RecordedGrant } from '../../rules/accounts/recorded-grant.ts'
import type { LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import type { SavedMethod } from '../../rules/commerce/payments/saved-method.ts'
import type { RecordedEntry } from '../../rules/facts/recorded-entry.ts'
import { balanceText, overageText } from '../../wire/credit-balance.ts'
import { shownDecimal } from '../../wire/credit-ledger-entry.ts'
import { moneyText } from '../checkout/amounts.ts'
import { checkoutStyle } from '../checkout/style.ts'
import { textsFor } from '../checkout/texts.ts'
import { cardName } from '../checkout/ways-to-pay.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { grantsSection } from './grants.ts'
import type { PortalPage } from './parts.ts'
import { dateText, section, table } from './parts.ts'

/** Where the invoice of each payment opens; null: it has none. */
type OverviewShown = ShownPortal & { readonly invoices: ReadonlyMap<string, string | null> }

/** Everything at a glance. */
export function overviewPage(page: PortalPage, shown: OverviewShown): string {
  const { texts } = page
  return framed(page, texts.title, [
    html`<p class="note">${page.customer.name} · ${page.customer.email}</p>`,
    section(
      page,
      texts.subscriptions,
      shown.subscriptions.map(
        (each) => html`${subscriptionOf(page, each)}${methodChoice(page, each, shown.methods)}`,
      ),
    ),
    section(
      page,
      texts.credits,
      shown.credits.map((each) => creditsOf(page, each)),
    ),
    shown.payments.length === 0
      ? section(page, texts.payments, [])
      : section(page, texts.payments, [paymentsTable(page, shown)]),
    shown.methods.length === 0
      ? html``
      : section(page, texts.methods, [methodsTable(page, shown.methods)]),
    grantsSection(page, shown.grants),
    shown.licenseKeys.length === 0
      ? html``
      : section(page, texts.licenses, [licensesTable(page, shown.licenseKeys)]),
    page.returnUrl === null
      ? html``
      : html`<p><a href="${page.returnUrl}" rel="noreferrer">← ${texts.returns}</a></p>`,
  ])
}

/** Asks before a subscription is to end. */
export function cancelPage(
  page: PortalPage,
  { subscription, productName }: ShownSubscription,
): string {
  const { texts } = page
  // A paused subscription has no end to wait for.
  const isNow = subscription.status === 'paused'
  const ends = html` · ${texts.ends} ${dateText(page, subscription.nextBillingDate)}`
  return framed(page, isNow ? texts.cancelNowQuestion : texts.cancelQuestion, [
    html`<p>${productName}${isNow ? null : ends}</p>`,
    button(page, `subscriptions/${subscription.subscriptionId}/cancel`, texts.cancel),
    backLink(page),
  ])
}

/** The plans to which a subscription may change, with what each would charge now. */
export function plansPage(
  page: PortalPage,
  { subscription, productName }: ShownSubscription,
  plans: readonly OfferedPlan[],
): string {
  const { texts } = page
  const path = `subscriptions/${subscription.subscriptionId}/plan`
  const offers = plans.map(({ product, chargeNow, waits }) => {
    const { currency } = product.price
    const when = waits
      ? html`${texts.waitsUntil} ${dateText(page, subscription.nextBillingDate)}`
      : html`${moneyText(chargeNow, currency, page.language)}`
    const hidden = html`<input type="hidden" name="product_id" value="${product.productId}">`
    return html`<article><h3>${product.name}</h3>
${product.description === null ? null : html`<p>${product.description}</p>`}
<p>${when}</p>
${button(page, path, texts.newPlan, hidden)}</article>`
  })
  return framed(page, texts.plans, [
    html`<p>${productName}</p>`,
    offers.length === 0 ? html`<p>${texts.nothing}</p>` : html`${offers}`,
    backLink(page),
  ])
}

/** Where the credits of one kind came from, went to, and when they expire. */
export function creditsPage(
  page: PortalPage,
  held: HeldCredits,
  of: { readonly grants: readonly RecordedGrant[]; readonly entries: readonly RecordedEntry[] },
): string {
  const { texts } = page
  const grants = of.grants.map(
    ({ remaining, expiresAt }) =>
      html`<tr><td>${numberText(page, remaining)} ${held.unit}</td><td>${
        expiresAt === null ? texts.never : dateText(page, expiresAt)
      }</td></tr>`,
  )
  const entries = of.entries.map(
    ({ amount, isCredit, balanceAfter, createdAt }) =>
      html`<tr><td>${dateText(page, createdAt)}</td><td>${isCredit ? '+' : '−'}${numberText(
        page,
        amount,
      )}</td><td>${numberText(page, balanceAfter)}</td></tr>`,
  )
  return framed(page, held.name, [
    balanceLine(page, held),
    html`<h2>${texts.grants}</h2>`,
    table([texts.amount, texts.expires], grants, page),
    html`<h2>${texts.entries}</h2>`,
    table([texts.date, texts.amount, texts.balance], entries, page),
    backLink(page),
  ])
}

function framed(
  { isTest, language, texts }: PortalPage,
  title: string,
  body: readonly Html[],
): string {
  return html`<!doctype html>
<html lang="${language}" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: checkoutStyle }}</style>
</head>
<body>
<main>
${isTest ? html`<p class="note">${texts.testMode}</p>` : null}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html
}

function subscriptionOf(page: PortalPage, { subscription, productName }: ShownSubscription): Html {
  const { texts } = page
  const { cancellation, currency, nextBillingDate, quantity, scheduled, status } = subscription
  const path = `subscriptions/${subscription.subscriptionId}`
  const isLive = status === 'active'
  const price = moneyText(subscription.recurringPreTaxAmount, currency, page.language)
  const next = cancellation.scheduled ? texts.ends : texts.renews
  const mayEnd = isLive || status === 'on_hold' || status === 'paused'
  const isDated = isLive || (status === 'on_hold' && cancellation.scheduled)
  const dates = isDated ? html` · ${next} ${dateText(page, nextBillingDate)}` : null
  const plan =
    scheduled === null
      ? html`<p><a href="${page.path}/${path}/plan">${texts.changePlan}</a></p>`
      : html`<p>${texts.waitsUntil} ${dateText(page, nextBillingDate)}: ${scheduled.productName}</p>
${button(page, `${path}/keep-plan`, texts.keepPlan)}`
  const end = cancellation.scheduled
    ? button(page, `${path}/keep`, texts.keep)
    : html`<p><a href="${page.path}/${path}/cancel">${texts.cancel}</a></p>`
  return html`<article><h3>${productName}${quantity === 1 ? '' : ` × ${quantity}`}</h3>
<p>${price} · ${texts.statuses[status]}${dates}</p>
${isLive && !cancellation.scheduled && !subscription.onDemand ? plan : null}
${mayEnd ? end : null}
</article>`
}

const creditsOf = (page: PortalPage, held: HeldCredits): Html =>
  html`<article><h3><a href="${page.path}/credits/${held.read.entitlementId}">${held.name}</a></h3>
${balanceLine(page, held)}</article>`

function balanceLine(page: PortalPage, held: HeldCredits): Html {
  const { texts } = page
  const overage = overageText(held.read)
  return html`<p>${texts.balance}: ${numberText(page, balanceText(held.read))} ${held.unit}${
    overage === '0' ? null : html` · ${texts.overage}: ${numberText(page, overage)} ${held.unit}`
  }</p>`
}

function paymentsTable(page: PortalPage, { invoices, payments }: OverviewShown): Html {
  const { texts } = page
  const rows = payments.map(
    ({ createdAt, currency, paymentId, status, totalAmount }) =>
      html`<tr><td>${dateText(page, createdAt)}</td><td>${
        texts.paymentStatuses[status] ?? texts.otherStatus
      }${invoiceLink(page, invoices.get(paymentId) ?? null)}</td><td>${moneyText(
        totalAmount,
        currency,
        page.language,
      )}</td></tr>`,
  )
  return table([texts.date, texts.status, texts.amount], rows, page)
}

const invoiceLink = ({ texts }: PortalPage, url: string | null): Html | null =>
  url === null ? null : html` · <a href="${url}">${texts.invoice}</a>`

/** Another saved card for a subscription that is charged. */
function methodChoice(
  page: PortalPage,
  { subscription }: ShownSubscription,
  methods: readonly SavedMethod[],
): Html | null {
  const { paymentMethodId, status, subscriptionId } = subscription
  if (status !== 'active' && status !== 'on_hold') return null
  const others = methods.filter((method) => method.paymentMethodId !== paymentMethodId)
  const { anotherCard } = textsFor(page.language, null).texts
  return html`${others.map((method) => {
    const hidden = html`<p>${cardName(method)}</p>
<input type="hidden" name="payment_method_id" value="${method.paymentMethodId}">`
    return button(page, `subscriptions/${subscriptionId}/method`, page.texts.payWith, hidden)
  })}
${button(page, `subscriptions/${subscriptionId}/card`, anotherCard)}`
}

const methodsTable = (page: PortalPage, methods: readonly SavedMethod[]): Html =>
  html`${methods.map(
    (method) =>
      html`<article><h3>${cardName(method)}</h3>
${button(page, `methods/${method.paymentMethodId}/remove`, page.texts.remove)}</article>`,
  )}`

const licensesTable = (page: PortalPage, keys: readonly LicenseKey[]): Html =>
  table(
    [page.texts.licenses, page.texts.expires],
    keys.map(
      ({ expiresAt, key }) =>
        html`<tr><td>${key}</td><td>${
          expiresAt === null ? page.texts.never : dateText(page, expiresAt)
        }</td></tr>`,
    ),
    page,
  )

/** A form with one button, which changes something. */
const button = (page: PortalPage, path: string, label: string, more: Html | null = null): Html =>
  html`<form method="post" action="${page.path}/${path}">
${more}<button class="other">${label}</button></form>`

const backLink = ({ path, texts }: PortalPage): Html =>
  html`<p><a href="${path}">← ${texts.back}</a></p>`

/** A decimal text, however long, with the language's separators. */
const numberText = ({ language }: PortalPage, text: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(
    shownDecimal(text) as Intl.StringNumericLiteral,
  )
