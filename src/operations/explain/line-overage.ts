import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { LineOverage } from '../../rules/explain/money.ts'
import type { RecordedEntry } from '../../rules/facts/recorded-entry.ts'
import { parseDecimal } from '../../std/decimal.ts'
import { accountIdOf } from '../accounts/account-id.ts'
import type { MoneyNeeds } from './money-needs.ts'

/** A line bills what one cycle has left, or a few where nobody could be charged for some time. */
const entriesMax = 24

/**
 * The entries of credits that lines of overage bill, by the entitlements that they are of: the
 * newest until then that come to what the line says. [payouts#explanations]
 */
export async function overageOfLines(
  needs: Pick<MoneyNeeds, 'ledger'>,
  scope: Scope,
  { createdAt, customerId, lines }: Payment,
): Promise<ReadonlyMap<string, LineOverage>> {
  const found = new Map<string, LineOverage>()
  for (const { itemId, worth } of lines) {
    if (worth?.kind !== 'overage') continue
    const accountId = accountIdOf({ ...scope, customerId, entitlementId: itemId })
    const filter = { type: 'overage_charged', from: null, to: createdAt } as const
    const newest = await needs.ledger.entries(accountId, filter, { limit: entriesMax, offset: 0 })
    const { credits, unit } = worth
    const entryIds = comingTo(credits, newest).map(({ entryId }) => entryId)
    if (entryIds.length > 0) found.set(itemId, { credits, unit, entryIds })
  }
  return found
}

/** As many of the newest as come to this, oldest first; none, where they never do. */
function comingTo(credits: string, newest: readonly RecordedEntry[]): readonly RecordedEntry[] {
  const wanted = scaledOf(credits)
  let sum = 0n
  for (const [index, { amount }] of newest.entries()) {
    sum += scaledOf(amount)
    if (sum === wanted) return newest.slice(0, index + 1).toReversed()
  }
  return []
}

/** Finer than credits are. */
const scale = 28

const scaledOf = (text: string): bigint => parseDecimal(text, scale) ?? 0n
