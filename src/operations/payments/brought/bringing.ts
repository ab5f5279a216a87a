import type { LoneFact, RowChange } from '../../../parts/store/changes.ts'
import type { Scope } from '../../../parts/store/scope.ts'
import type { AccountChange, AccountCommand } from '../../../rules/accounts/change.ts'
import type { AccountView } from '../../../rules/accounts/view.ts'
import type { Customer } from '../../../rules/commerce/catalog/customer.ts'
import type { ChargeOutcome, Payment } from '../../../rules/commerce/payments/payment.ts'
import type { OwnFact } from '../../../rules/facts/fact.ts'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { PaymentNeeds } from '../payment-needs.ts'

/** A payment before what was heard of it is written. */
export interface HeardNow {
  readonly payment: Payment
  readonly customer: Customer
  readonly outcome: ChargeOutcome
}

/**
 * Loads what one subject decides by, anew in every try, and answers its decision; null: this news
 * concerns nothing of the subject. It is asked only while the payment is not settled, so each end
 * of a payment brings what it brings once. [payments#one-way-to-be-paid]
 */
export type Bringing = (
  needs: PaymentNeeds,
  scope: Scope,
  heard: HeardNow,
) => Promise<SubjectDecision | null>

export interface SubjectDecision {
  /** The customer's accounts for which it may have commands. */
  readonly entitlementIds: readonly string[]
  /** Pure: what the news brings at this moment. */
  readonly decide: (moment: PaymentMoment) => SubjectBrings
}

export interface PaymentMoment {
  /** With what was heard of it, and with what the subjects before this one say of it. */
  readonly payment: Payment
  readonly at: Instant
  readonly newId: NewId
  /** The accounts of all subjects' entitlements. */
  readonly views: readonly AccountView[]
}

/** What a payment's news brings of one subject. Everything is written in the payment's change. */
export interface SubjectBrings {
  /** The payment with what this subject says of it; absent: as it came. Its version stays. */
  readonly payment?: Payment
  readonly commands?: ReadonlyMap<string, AccountCommand>
  readonly rows?: readonly RowChange[]
  /** They are told after the payment's own fact, and before those of accounts. [webhooks#kinds] */
  readonly facts?: readonly OwnFact[]
  /** More of them, which say what became of the accounts. */
  readonly tell?: (accounts: readonly AccountChange[]) => readonly LoneFact[]
}
