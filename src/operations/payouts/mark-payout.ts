import { orNotFound } from '../../faults.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Invoices } from '../../parts/store/invoices.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { InvoicePayer } from '../../rules/commerce/invoices/invoice.ts'
import { payoutPaper } from '../../rules/commerce/invoices/payout-paper.ts'
import type { Payout, PayoutMark } from '../../rules/commerce/payouts/payout.ts'
import { entriesPaidBy, markedPayout } from '../../rules/commerce/payouts/payout.ts'
import { payoutFact } from '../../rules/facts/payout-facts.ts'
import { after } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { bookedRows } from '../balances/booked-rows.ts'
import type { PayoutNeeds } from './payout-needs.ts'

export interface MarkPayout {
  readonly payoutId: string
  readonly status: PayoutMark
  readonly remarks: string | null
  /** Who pays it, for its paper; null: nobody has said. */
  readonly payer: InvoicePayer | null
}

interface MarkNeeds extends PayoutNeeds {
  readonly invoices: Pick<Invoices, 'seller'>
}

/**
 * The operator says what has become of a payout. The same twice changes nothing; one that failed
 * comes back into its ledger. @throws Error a sentence for the operator: where something else has
 * become of it for good. [payouts#states]
 */
export async function markPayout(needs: MarkNeeds, mark: MarkPayout): Promise<Payout> {
  const { payoutId, status } = mark
  const { businessId, mode } = orNotFound(await needs.payouts.find(payoutId), 'payout', payoutId)
  const scope = { businessId, mode }
  const marked = await untilWritten<Payout>(needs, 'payout', () => tryToMark(needs, scope, mark))
  if (marked.status === status) return marked
  throw new Error(`Payout '${payoutId}' is ${marked.status} already, and cannot become ${status}.`)
}

async function tryToMark(
  needs: MarkNeeds,
  scope: Scope,
  { payer, payoutId, remarks, status }: MarkPayout,
) {
  const payout = orNotFound(await needs.payouts.get(scope, payoutId), 'payout', payoutId)
  const clockAhead = await needs.businesses.clockAhead(scope)
  const at = after(needs.clock.now(), clockAhead)
  const row = markedPayout(payout, { status, remarks, at })
  if (row === null) return payout
  const outcome = await needs.changes.commit({
    scope,
    clockAhead,
    rows: [
      { noun: 'payout', expected: payout.version, row, newestEntryId: null },
      ...(await besides(needs, scope, { payout: row, payer })),
    ],
    accounts: [],
    facts: [{ ...payoutFact(row), messageId: needs.newId('msg'), at: row.updatedAt }],
  })
  return outcome === 'committed' ? row : lost
}

/** What else the end of a payout writes: its paper, or what comes back into the ledger. */
async function besides(
  { balances, invoices, newId }: MarkNeeds,
  scope: Scope,
  { payer, payout }: Pick<MarkPayout, 'payer'> & { readonly payout: Payout },
): Promise<readonly RowChange[]> {
  const { amount, currency, fee, payoutId, updatedAt: at } = payout
  if (payout.status === 'failed') {
    const amounts = [
      ['payout_reversal', amount],
      ['payout_fees_reversal', fee],
    ] as const
    return bookedRows(newId, { currency, referenceId: payoutId, at, amounts })
  }
  if (payout.status !== 'success') return []
  // Under the id of the business stands its primary brand.
  const seller = await invoices.seller(scope, scope.businessId)
  const totals = await balances.totals(scope, entriesPaidBy(payout))
  const paper = payoutPaper(payout, { payer, seller, totals })
  const row = { kind: 'payout', subjectId: payoutId, issuedAt: at, paper } as const
  return [{ noun: 'invoice', expected: null, row }]
}
