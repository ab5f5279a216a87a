import assert from 'node:assert/strict'
import { Fault, refuse, unlessRefused } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { CatalogMetadata } from '../../rules/commerce/catalog/metadata.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import { countryOf } from '../../rules/commerce/country.ts'
import { newAttempt } from '../../rules/commerce/payments/attempt.ts'
import { demandedTotals } from '../../rules/commerce/payments/on-demand-cart.ts'
import type { Payment, ProcessorName } from '../../rules/commerce/payments/payment.ts'
import type { PurchaseTotals } from '../../rules/commerce/payments/priced-lines.ts'
import { paymentLine } from '../../rules/commerce/payments/priced-lines.ts'
import type { DemandedCharge } from '../../rules/commerce/subscriptions/on-demand.ts'
import { chargeRejection } from '../../rules/commerce/subscriptions/on-demand.ts'
import type { Subscription } from '../../rules/commerce/subscriptions/subscription.ts'
import { idFrom } from '../../runtime/ids.ts'
import type { Instant } from '../../std/instant.ts'
import type { Due } from '../accounts/change-accounts.ts'
import type { lost } from '../accounts/until-written.ts'
import type { DueFirstNeeds } from '../boundaries/due-first.ts'
import { dueFirst } from '../boundaries/due-first.ts'
import { payingFromWallet } from '../boundaries/paying-from-wallet.ts'
import { planBought } from '../boundaries/renewal-payment.ts'
import type { Chargeable } from '../payment-methods/chargeable-method.ts'
import { chargeableMethod } from '../payment-methods/chargeable-method.ts'
import { attemptRows } from '../payments/ask-processor.ts'
import { carryOut } from '../payments/carry-out.ts'
import { tryCommand } from './command-subscription.ts'

export interface WantedCharge extends DemandedCharge {
  readonly subscriptionId: string
  /** Of the payment; null: as the subscription's. */
  readonly metadata: CatalogMetadata | null
  /** Whether the customer's wallet pays its part first. */
  readonly spendsWallet: boolean
  /** A charge with a key that one of this subscription had is that one; null: it is another. */
  readonly idempotencyKey: string | null
}

/**
 * Charges a subscription on demand, by its saved method. Answers the payment, which says what has
 * become of it: the subscription goes on whatever that is. The attempt is written with the
 * subscription before its processor is asked, so of two at once one is charged. Refuses: 404 an
 * unknown subscription; 409 a key that another charge has had; what chargeRejection() refuses; too
 * many keys or too large integers in metadata; 422 a total that is too large.
 * [subscriptions#on-demand]
 */
export async function chargeSubscription(
  needs: DueFirstNeeds,
  scope: Scope,
  request: WantedCharge,
): Promise<Payment> {
  refuse(metadataRejection(request.metadata ?? {}))
  const keyed = keyedId(scope, request)
  let isNew = true
  const payment = await dueFirst<Payment>(needs, 'charge_subscription', async () => {
    const before = keyed === null ? null : await needs.payments.get(scope, keyed)
    isNew = before === null
    if (before !== null) return sameCharge(before, request)
    return tryToCharge(needs, scope, { request, paymentId: keyed ?? needs.newId('pay') })
  })
  return isNew ? carryOut(needs, scope, payment) : payment
}

/** The payment of a key, however often it comes; null: without a key each charge is another. */
function keyedId(
  { businessId, mode }: Scope,
  { idempotencyKey, subscriptionId }: WantedCharge,
): string | null {
  if (idempotencyKey === null) return null
  return idFrom('pay', [businessId, mode, subscriptionId, idempotencyKey])
}

/** Refuses a key that came with another charge. */
function sameCharge(before: Payment, { description, price }: WantedCharge): Payment {
  const [line] = before.lines
  const prices = [line?.amount, (line?.amount ?? 0) + (line?.tax ?? 0)]
  const isSame = prices.includes(price) && (description ?? line?.description) === line?.description
  if (isSame) return before
  throw new Fault('CONFLICT', 'Another charge of this subscription had this Idempotency-Key.')
}

/** One try to write the attempt with the subscription that waits for what becomes of it. */
export async function tryToCharge(
  needs: DueFirstNeeds,
  scope: Scope,
  of: { readonly request: WantedCharge; readonly paymentId: string },
): Promise<Payment | typeof lost | Due> {
  const { paymentId, request } = of
  let attempt: Payment | null = null
  const tried = await tryCommand(needs, scope, {
    operation: 'charge_subscription',
    subscriptionId: request.subscriptionId,
    prepare: async (before) => {
      refuse(chargeRejection(before, request))
      const { method, totals, wallets } = await pricedCharge(needs, scope, { before, request })
      const processor = needs.processors[scope.mode].name
      return {
        entitlementIds: [],
        decide: (at) => {
          const whole = paymentOf({ at, before, method, paymentId, processor, request, totals })
          const paying = request.spendsWallet
            ? payingFromWallet(needs, whole, { wallets, at })
            : { attempt: whole, rows: attemptRows(needs.newId, whole) }
          attempt = paying.attempt
          const version = before.version + 1
          const after = { ...before, charging: paymentId, version, updatedAt: at }
          return { after, commands: new Map(), rows: paying.rows }
        },
      }
    },
  })
  if (tried !== undefined) return tried
  assert(attempt !== null, 'a charge was written without its attempt')
  return attempt
}

async function pricedCharge(
  needs: DueFirstNeeds,
  scope: Scope,
  { before, request }: { readonly before: Subscription; readonly request: WantedCharge },
) {
  const { customerId, paymentMethodId, productId } = before
  const country = countryOf(before.billing.country)
  const [method, product, taxes, wallets] = await Promise.all([
    chargeableMethod(needs, scope, paymentMethodId),
    needs.products.get(scope, productId),
    country === null ? [] : needs.charges.taxes(scope.businessId, country),
    needs.wallets.list({ ...scope, customerId }),
  ])
  const totals = unlessRefused(demandedTotals(before, request, { product, taxes }))
  return { method, totals, wallets }
}

function paymentOf(of: {
  readonly at: Instant
  readonly before: Subscription
  readonly method: Chargeable
  readonly paymentId: string
  readonly processor: ProcessorName
  readonly request: WantedCharge
  readonly totals: PurchaseTotals
}): Payment {
  const { before, method, paymentId, processor, request, totals } = of
  return newAttempt(
    {
      ...method,
      paymentId,
      processor,
      brandId: before.brandId,
      customerId: before.customerId,
      subscriptionId: before.subscriptionId,
      purpose: 'charge',
      currency: before.currency,
      totalAmount: totals.total,
      tax: totals.tax,
      lines: totals.lines.map(paymentLine),
      products: [planBought(before)],
      billing: before.billing,
      taxId: before.taxId,
      customerBusinessName: before.customerBusinessName,
      metadata: request.metadata ?? before.metadata,
    },
    of.at,
  )
}
