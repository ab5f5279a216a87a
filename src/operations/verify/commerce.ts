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

/** The ledgers of businesses' money against what they book. [payouts#ledger] */
export async function* balanceDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentBalances(businessId)) {
    yield { kind: 'balance', id, businessId: of, sentence: `Business ${of}: ${what}.` }
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

/** Payouts against the entries that they pay. [payouts#payouts] */
export async function* payoutDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentPayouts(businessId)) {
    yield { kind: 'payout', id, businessId: of, sentence: `Payout ${id}: ${what}.` }
  }
}

/** Papers against what they are about. [invoices#numbers] */
export async function* invoiceDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentInvoices(businessId)) {
    yield { kind: 'invoice', id, businessId: of, sentence: `The paper of ${id}: ${what}.` }
  }
}

/** License keys and credits against the payments that brought them. [licenses#license-keys] */
export async function* broughtDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentBrought(businessId)) {
    yield { kind: 'brought', id, businessId: of, sentence: `What was bought, ${id}: ${what}.` }
  }
}

/** Grants and license keys against what is paid. [entitlements#grants] */
export async function* grantDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentGrants(businessId)) {
    const noun = id.startsWith('lic_') ? 'License key' : 'Grant'
    yield { kind: 'grant', id, businessId: of, sentence: `${noun} ${id}: ${what}.` }
  }
}

/** Rows of money against whom they belong to. [payouts#ledger] */
export async function* ownerDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentOwners(businessId)) {
    yield { kind: 'owner', id, businessId: of, sentence: `${id}: ${what}.` }
  }
}

/** Moments of rows of money against those of what they follow from. [payouts#ledger] */
export async function* momentDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentMoments(businessId)) {
    yield { kind: 'moment', id, businessId: of, sentence: `${id}: ${what}.` }
  }
}

/** What rows of money say of each other. [invoices#what-stands-on-it] */
export async function* sayingDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentSayings(businessId)) {
    yield { kind: 'saying', id, businessId: of, sentence: `${id}: ${what}.` }
  }
}
