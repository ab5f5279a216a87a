import assert from 'node:assert/strict'
import type { LaterNews } from '../../parts/processors/port.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { ProcessorNews } from '../../parts/store/processor-news.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { hasDeliveredFiles } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import { triesAgainFor } from '../../rules/commerce/payments/abandonment.ts'
import type { CheckoutSession } from '../../rules/commerce/payments/checkout-session.ts'
import type { ChargeOutcome, Payment } from '../../rules/commerce/payments/payment.ts'
import { afterNews, isSettled } from '../../rules/commerce/payments/payment.ts'
import type { OwnFact } from '../../rules/facts/fact.ts'
import { paymentFact } from '../../rules/facts/payment-facts.ts'
import type { Instant } from '../../std/instant.ts'
import { after, laterOf } from '../../std/instant.ts'
import type { AccountChanging, Due } from '../accounts/change-accounts.ts'
import { tryChange } from '../accounts/change-accounts.ts'
import type { lost } from '../accounts/until-written.ts'
import { left } from './brought/abandonment.ts'
import { bringAll } from './brought/all.ts'
import type { PaymentNeeds } from './payment-needs.ts'

/** What was heard of a payment, and what its processor is still going to say. */
export interface HeardOfPayment {
  readonly paymentId: string
  /** Null: nothing. */
  readonly outcome: ChargeOutcome | null
  readonly later: readonly LaterNews[]
  /** The news that brought it, which ends with it. */
  readonly news: ProcessorNews | null
}

/**
 * One try to write what has become of a payment, and all that it brings. [payments#news]
 */
export async function tryToHear(
  needs: PaymentNeeds,
  scope: Scope,
  { at, ...heard }: HeardOfPayment & Pick<AccountChanging<Payment>, 'at'>,
): Promise<Payment | typeof lost | Due> {
  const payment = await needs.payments.get(scope, heard.paymentId)
  assert(payment !== null, 'a payment that was charged is gone')
  const customer = await needs.customers.get(scope, payment.customerId)
  assert(customer !== null, 'the customer of a payment is gone')
  const { outcome } = heard
  const bringing =
    outcome === null || isSettled(payment)
      ? null
      : await bringAll(needs, scope, { payment, customer, outcome })
  const session = await leftSession(needs, scope, { payment, heard })
  const entitlementIds = bringing?.entitlementIds ?? []
  return tryChange<Payment>(needs, {
    operation: 'pay',
    customer: { ...scope, customerId: payment.customerId },
    entitlementIds,
    at,
    decide: (views, { at }) => {
      const time = laterOf(at, payment.updatedAt)
      const next = outcome === null ? null : afterNews(payment, outcome, time)
      const news = newsRows(needs, heard, { payment, at: time })
      const { newId } = needs
      if (next === null || bringing === null) {
        // What asks the processor again comes sooner, and is not about the buyer.
        const isOld = time >= after(payment.updatedAt, triesAgainFor)
        const gone = session === null || !isOld ? {} : left(payment, session, time)
        const { facts = [], payment: row, rows = [] } = gone
        return {
          commands: entitlementIds.map(() => null),
          rows: [...news, ...rows, ...(row === undefined ? [] : [noted(row, time)])],
          facts: facts.map((fact) => told(needs, fact, time)),
          answer: () => payment,
        }
      }
      const brought = bringing.decide({ payment: next, at: time, newId, views })
      const { payment: row } = brought
      const fact = paymentFact(row, customer, {
        hasDeliveredFiles: brought.rows.some(bringsFiles),
      })
      return {
        commands: entitlementIds.map((id) => brought.commands.get(id) ?? null),
        rows: [...news, { noun: 'payment', expected: payment.version, row }, ...brought.rows],
        facts: fact === null ? [] : [told(needs, fact, time)],
        tell: brought.tell,
        answer: () => row,
      }
    },
  })
}

/**
 * The session of a purchase that came to nothing an hour ago; null: it is another time.
 * [webhooks#abandoned-checkouts]
 */
async function leftSession(
  { sessions }: PaymentNeeds,
  scope: Scope,
  of: { readonly payment: Payment; readonly heard: Omit<HeardOfPayment, 'at'> },
): Promise<CheckoutSession | null> {
  const { heard, payment } = of
  const { sessionId, status } = payment
  const isLookedAt = heard.news !== null && heard.news.outcome === null
  if (!isLookedAt || sessionId === null || status === 'succeeded' || !isSettled(payment))
    return null
  return sessions.get(scope, sessionId)
}

const bringsFiles = (change: RowChange): boolean =>
  change.noun === 'entitlement_grant' && hasDeliveredFiles(change.row)

const noted = (payment: Payment, at: Instant): RowChange => ({
  noun: 'payment',
  expected: payment.version,
  row: { ...payment, version: payment.version + 1, updatedAt: at },
})

const told = ({ newId }: PaymentNeeds, fact: OwnFact, at: Instant) => ({
  ...fact,
  messageId: newId('msg'),
  at,
})

/** The news that was heard ends, and what is still to be said begins to wait. */
function newsRows(
  { newId }: PaymentNeeds,
  { later, news }: HeardOfPayment,
  { payment, at }: { readonly payment: Payment; readonly at: Instant },
): readonly RowChange[] {
  const { customerId, paymentId } = payment
  return [
    ...(news === null ? [] : [{ noun: 'processor_news', heard: true, row: news } as const]),
    ...later.map(({ after: length, outcome }) => {
      const row = { newsId: newId('pnw'), customerId, paymentId, outcome }
      const dueAt = after(at, length)
      return { noun: 'processor_news', heard: false, row: { ...row, dueAt } } as const
    }),
  ]
}
