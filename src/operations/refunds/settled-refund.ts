import type { Change, RowChange } from '../../parts/store/changes.ts'
import type { AccountCommand } from '../../rules/accounts/change.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import { chargedBack } from '../../rules/commerce/payments/given-back.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Refund, RefundOutcome } from '../../rules/commerce/refunds/refund.ts'
import { refundStatusOf } from '../../rules/commerce/refunds/refundable.ts'
import { refundFact } from '../../rules/facts/refund-facts.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { laterOf } from '../../std/instant.ts'
import type { GivenOfPayment } from './given-of-payment.ts'
import type { AllTaking } from './taken-back/all.ts'

/** What was loaded of a payment that is being refunded. */
export interface LoadedPayment {
  readonly payment: Payment
  readonly customer: Customer
  /** All its refunds and disputes. */
  readonly given: GivenOfPayment
  readonly taking: AllTaking
}

interface Settling {
  readonly outcome: RefundOutcome
  /** With the outcome. */
  readonly refund: Refund
  /** The version of the refund that is expected; null: it is new. */
  readonly expected: number | null
  readonly at: Instant
  readonly newId: NewId
}

/**
 * The change of a refund that succeeded or failed: itself, what its payment says of it, and all
 * that it takes back. [refunds#what-a-refund-takes-back]
 */
export function settledRefund(
  { customer, given, payment, taking }: LoadedPayment,
  { at, expected, newId, outcome, refund }: Settling,
): Pick<Change, 'rows' | 'facts'> & { readonly commands: readonly (AccountCommand | null)[] } {
  const others = given.refunds.filter(({ refundId }) => refundId !== refund.refundId)
  const left = {
    ...touchedPayment(payment, at),
    refundStatus: refundStatusOf(payment, [...others, refund]),
  }
  const charged = chargedBack(payment, refund, { ...given, refunds: others })
  const moment = { payment: left, refund, charged, at, newId }
  const taken = outcome === 'succeeded' ? taking.decide(moment) : null
  const facts = [refundFact(outcome, refund, customer), ...(taken?.facts ?? [])]
  return {
    commands: taking.entitlementIds.map((id) => taken?.commands.get(id) ?? null),
    rows: [...refundRows(payment, left, { expected, refund }), ...(taken?.rows ?? [])],
    facts: facts.map((fact) => ({ ...fact, messageId: newId('msg'), at })),
  }
}

/** A refund and its payment move together, so that of two at once one is decided again. */
export const refundRows = (
  before: Payment,
  payment: Payment,
  { expected, refund }: Pick<Settling, 'expected' | 'refund'>,
): readonly RowChange[] => [
  { noun: 'payment', expected: before.version, row: payment },
  { noun: 'refund', expected, row: refund },
]

/** The payment after a change of something that belongs to it. */
export const touchedPayment = (payment: Payment, at: Instant): Payment => ({
  ...payment,
  version: payment.version + 1,
  updatedAt: laterOf(at, payment.updatedAt),
})
