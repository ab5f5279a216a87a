import type { LogReader } from '../../parts/event-log/port.ts'
import type { Audit, AuditedAccount } from '../../parts/store/audit.ts'
import type { Duration } from '../../std/instant.ts'
import { accountDifferences } from './account.ts'
import {
  balanceDifferences,
  broughtDifferences,
  discountDifferences,
  grantDifferences,
  invoiceDifferences,
  momentDifferences,
  ownerDifferences,
  payoutDifferences,
  sayingDifferences,
  walletDifferences,
} from './commerce.ts'
import type { CountedAgainNeeds } from './counted-again.ts'
import { countedAgain } from './counted-again.ts'
import type { Difference } from './difference.ts'
import type { FoldedLedger } from './fold.ts'
import { foldEntry, nothingFolded } from './fold.ts'
import { lastingGrants } from './lasting-grants.ts'
import { openOverages } from './open-overage.ts'
import { overdueBoundaries } from './overdue-boundaries.ts'
import { partitionDifferences } from './partition.ts'
import { pastEnds } from './past-ends.ts'
import { twinGrants } from './twin-grants.ts'
import { usageDifferences } from './usage-differences.ts'

export interface VerifyNeeds {
  readonly audit: Audit
  /** Null: the log cannot be read from here. */
  readonly log: LogReader | null
  /** For how long, at least, an id must count only once. */
  readonly window: Duration
  /** Where events are read again; absent: usage is not compared with them. */
  readonly events?: Pick<CountedAgainNeeds, 'archive' | 'voids'>
}

export interface VerifyOptions {
  /** Null: every business, and also the partitions, which businesses share. */
  readonly businessId: string | null
  /** Called after every page. */
  readonly onProgress?: (seen: Readonly<Seen>) => void
}

/** What is looked at as a whole, and not account by account. */
const checks = [
  lastingGrants,
  twinGrants,
  openOverages,
  pastEnds,
  overdueBoundaries,
  walletDifferences,
  discountDifferences,
  balanceDifferences,
  payoutDifferences,
  invoiceDifferences,
  broughtDifferences,
  grantDifferences,
  ownerDifferences,
  momentDifferences,
  sayingDifferences,
  usageDifferences,
]

/** How much has been looked at so far. */
export interface Seen {
  accounts: number
  entries: number
  /**
   * Accounts with usage that waits to be settled, which is no difference: they were only projected.
   */
  unsettled: number
  partitions: number
  /** Customers' usage by an event's name that was counted again from its events. */
  recounted: number
  differences: number
}

/** The differences, as they are found; `seen` is complete at their end. */
export interface Verification extends AsyncIterable<Difference> {
  readonly seen: Readonly<Seen>
}

/**
 * Audits the books while everything goes on: each account against the fold of its entries, its
 * placement and the worth of its usage [guarantees#books-that-add-up, guarantees#determinism];
 * usage against its events; each partition's totals, batches, checkpoint and archive
 * [guarantees#checkpoints]; what refers to entries; what should have ended; wallets, the money of
 * businesses with its payouts and papers, what was bought and granted, with its moments and words,
 * and the counts of discounts. Reads in pages, one of which is in memory at a time. Throws the
 * fault UNAVAILABLE when the store is away.
 */
export function verifyBooks(needs: VerifyNeeds, options: VerifyOptions): Verification {
  const seen: Seen = {
    accounts: 0,
    entries: 0,
    unsettled: 0,
    partitions: 0,
    recounted: 0,
    differences: 0,
  }
  return { seen, [Symbol.asyncIterator]: all }

  async function* all(): AsyncIterator<Difference> {
    for await (const difference of found()) {
      seen.differences += 1
      yield difference
    }
    options.onProgress?.(seen)
  }

  async function* found(): AsyncIterable<Difference> {
    for await (const page of needs.audit.accounts(options.businessId)) {
      yield* ofAccounts(page)
      options.onProgress?.(seen)
    }
    yield* ofReferences()
    for (const check of checks) {
      yield* check(needs.audit, options.businessId)
    }
    yield* ofEvents()
    if (options.businessId === null) yield* ofPartitions()
  }

  async function* ofAccounts(page: readonly AuditedAccount[]): AsyncIterable<Difference> {
    const folds = new Map<string, FoldedLedger>()
    const precisions = new Map(
      page.map(({ accountId, view }) => [accountId, view?.entitlement?.precision ?? 0]),
    )
    for await (const entry of needs.audit.entries(page)) {
      const folded = folds.get(entry.accountId) ?? nothingFolded
      const precision = precisions.get(entry.accountId) ?? 0
      folds.set(entry.accountId, foldEntry(folded, entry, precision))
      seen.entries += 1
    }
    for (const account of page) {
      const { accountId, key, view } = account
      seen.accounts += 1
      if ((view?.unsettled.length ?? 0) > 0) seen.unsettled += 1
      for (const what of accountDifferences(account, folds.get(accountId) ?? nothingFolded)) {
        const sentence = `Account ${accountId} of customer ${key.customerId}: ${what}.`
        yield { kind: 'account', id: accountId, businessId: key.businessId, sentence }
      }
    }
  }

  async function* ofReferences(): AsyncIterable<Difference> {
    const { businessId } = options
    for await (const key of needs.audit.forgotten(businessId)) {
      const sentence = `Customer ${key.customerId} has usage under ${key.entitlementId} that nobody is going to settle.`
      yield { kind: 'account', id: null, businessId: key.businessId, sentence }
    }
    for await (const sentence of needs.audit.dangling(businessId)) {
      yield { kind: 'fact', id: null, businessId, sentence }
    }
  }

  async function* ofEvents(): AsyncIterable<Difference> {
    const { audit, events, log: reader } = needs
    if (events === undefined) return
    yield* countedAgain({ ...events, audit, reader }, options.businessId, () => {
      seen.recounted += 1
      options.onProgress?.(seen)
    })
  }

  async function* ofPartitions(): AsyncIterable<Difference> {
    for (const checkpoint of await needs.audit.checkpoints()) {
      seen.partitions += 1
      for await (const what of partitionDifferences(needs.audit, checkpoint, needs)) {
        const id = String(checkpoint.partition)
        const sentence = `Partition ${id}: ${what}.`
        yield { kind: 'partition', id, businessId: null, sentence }
      }
      options.onProgress?.(seen)
    }
  }
}
