import type { RowChange } from '../../parts/store/changes.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { FeeRow } from '../../rules/commerce/charges/fee-table.ts'
import { feeOf } from '../../rules/commerce/charges/fee-table.ts'
import type { Dispute } from '../../rules/commerce/disputes/dispute.ts'
import { resolvedRapidly } from '../../rules/commerce/disputes/new-dispute.ts'
import { disputeFact } from '../../rules/facts/dispute-facts.ts'
import type { OwnFact } from '../../rules/facts/fact.ts'
import type { NewId } from '../../std/id.ts'
import { bookedRows } from '../balances/booked-rows.ts'

interface Opened {
  /** As it ends up: one that was given back at once is lost. */
  readonly dispute: Dispute
  readonly rows: readonly RowChange[]
  readonly facts: readonly OwnFact[]
}

/**
 * What a dispute that opens writes and tells: its money leaves the ledger with it, and where it is
 * small enough it is given back at once. [refunds#disputes, refunds#rapid-resolution]
 */
export function openedDispute(
  opened: Dispute,
  of: {
    readonly customer: Customer
    readonly fees: readonly FeeRow[]
    readonly rapidUpTo: number | null
    readonly newId: NewId
  },
): Opened {
  const { customer, fees, newId, rapidUpTo } = of
  const rapid = resolvedRapidly(opened, rapidUpTo)
  const dispute = rapid ?? opened
  const { amount, createdAt: at, currency, disputeId: referenceId } = opened
  const fee = feeOf(fees, 'dispute', { amount, currency })
  const amounts = [['dispute', amount] as const, ['dispute_fees', fee] as const]
  return {
    dispute,
    rows: [
      { noun: 'dispute', expected: null, row: dispute },
      ...bookedRows(newId, { currency, referenceId, at, amounts }),
    ],
    facts: [opened, ...(rapid === null ? [] : [rapid])].map((each) => disputeFact(each, customer)),
  }
}
