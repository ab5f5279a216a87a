import type { Audit } from '../../parts/store/audit.ts'
import type { Difference } from './difference.ts'

/** Wallets against their ledgers. [resources#wallets] */
export async function* walletDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentWallets(businessId)) {
    yield { kind: 'wallet', id, businessId: of, sentence: `Customer ${id}: ${what}.` }
  }
}

/** The counts of discounts against their uses. [resources#redemption] */
export async function* discountDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.miscounted(businessId)) {
    yield { kind: 'discount', id, businessId: of, sentence: `Discount ${id}: ${what}.` }
  }
}
