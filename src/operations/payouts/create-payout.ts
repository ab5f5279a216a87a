import { orNotFound } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { feeOf } from '../../rules/commerce/charges/fee-table.ts'
import type { Currency } from '../../rules/commerce/currency.ts'
import type { Unpaid } from '../../rules/commerce/payouts/new-payout.ts'
import { newPayout } from '../../rules/commerce/payouts/new-payout.ts'
import type { Payout } from '../../rules/commerce/payouts/payout.ts'
import { payoutFact } from '../../rules/facts/payout-facts.ts'
import { after } from '../../std/instant.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { bookedRows } from '../balances/booked-rows.ts'
import type { PayoutNeeds } from './payout-needs.ts'

/**
 * Pays out all that a ledger holds. Whatever is booked meanwhile, another payout included, makes it
 * decide again, so that no entry is paid twice. 404 for no business. @throws Error a sentence for
 * the operator: where there is nothing to pay. [payouts#payouts]
 */
export function createPayout(
  needs: PayoutNeeds,
  scope: Scope,
  currency: Currency,
): Promise<Payout> {
  return untilWritten<Payout>(needs, 'payout', () => tryToCreate(needs, scope, currency))
}

async function tryToCreate(needs: PayoutNeeds, scope: Scope, currency: Currency) {
  const { businessId } = scope
  const { name } = orNotFound(await needs.businesses.find(businessId), 'business', businessId)
  const fees = await needs.charges.fees(businessId)
  const clockAhead = await needs.businesses.clockAhead(scope)
  const unpaid = await loadUnpaid(needs, scope, currency)
  const { newId } = needs
  const at = after(needs.clock.now(), clockAhead)
  const feeOn = (amount: number) => feeOf(fees, 'payout', { amount, currency })
  const made = newPayout(newId, unpaid, { name, feeOn, at })
  if ('problem' in made) throw new Error(made.problem)
  const { amount, createdAt, fee, payoutId: referenceId } = made
  const amounts = [['payout_fees', fee] as const, ['payout', amount] as const]
  const outcome = await needs.changes.commit({
    scope,
    clockAhead,
    rows: [
      { noun: 'payout', expected: null, row: made, newestEntryId: unpaid.newest?.entryId ?? null },
      ...bookedRows(newId, { currency, referenceId, at: createdAt, amounts }),
    ],
    accounts: [],
    facts: [{ ...payoutFact(made), messageId: newId('msg'), at: createdAt }],
  })
  return outcome === 'committed' ? made : lost
}

/**
 * The newest entry is read before the last payout: it is what the change compares, so whatever is
 * read behind it is as it was then, or the change is refused.
 */
async function loadUnpaid(
  { balances, payouts }: PayoutNeeds,
  scope: Scope,
  currency: Currency,
): Promise<Unpaid> {
  const newest = await balances.newest(scope, currency)
  const last = await payouts.last(scope, currency)
  // Behind the entries that the last one pays comes its own.
  const from = last === null ? 1 : last.toEntry + 2
  const to = newest?.number ?? 0
  return { currency, newest, from, totals: await balances.totals(scope, { currency, from, to }) }
}
