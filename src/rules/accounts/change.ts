import type { NewId } from '../../std/id.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { NewFact } from '../facts/fact.ts'
import type { Account } from './account.ts'
import { timeOf } from './command-time.ts'
import type { Entry } from './entry.ts'
import { stepFacts } from './facts.ts'
import type { Projected } from './project.ts'
import { ownCycleAt, project } from './project.ts'
import type { Decided } from './settle.ts'
import { metadataOf } from './source-metadata.ts'
import type { AccountIdOf, AccountKey, AccountView } from './view.ts'

/** An entry that is about to be written into the ledger. */
export interface NewEntry extends Entry {
  readonly entryId: string
  readonly brandId: string
}

/**
 * What becomes of one account. It is written whole, if the account still has the version that was
 * loaded.
 */
export interface AccountChange {
  readonly key: AccountKey
  readonly accountId: string
  /** The version that was loaded; null: the account is to be made. */
  readonly expected: number | null
  /**
   * And its stamp. A store that lost its last commits gives versions again, for something else.
   */
  readonly expectedStamp: number | null
  /**
   * The business's clock under which the change was decided. [subscriptions#the-time-of-a-command]
   */
  readonly clockAhead: Duration
  readonly before: Account | null
  readonly account: Account
  readonly entries: readonly NewEntry[]
  readonly facts: readonly NewFact[]
  readonly unsettled: readonly number[]
  readonly idempotencyKey: string | null
  readonly ownCycleAt: Instant
  /**
   * Usage of a cycle that only opens with this change may already be measured: settle the account
   * again.
   */
  readonly announce: boolean
  readonly at: Instant
}

/**
 * What a command makes of a settled account at `projected.at`; null: it leaves the account as it
 * is.
 */
export type AccountCommand = (projected: Projected, view: AccountView) => Decided | null

/** Makes the ids of new grants, entries and facts. */
export interface AccountIds {
  readonly newId: NewId
  readonly accountIdOf: AccountIdOf
}

interface Deciding {
  readonly at: Instant
  readonly decide: AccountCommand
  readonly idempotencyKey: string | null
}

/**
 * Settles and decides, and gives ids and facts to the result, so that it can be written. A boundary
 * that was due before the account's last change is written at the time of that change: a ledger
 * never runs backwards. [subscriptions#the-time-of-a-command]
 */
export function changeOf(
  ids: AccountIds,
  view: AccountView,
  { at: due, decide, idempotencyKey }: Deciding,
): AccountChange {
  const at = timeOf([view], due)
  const projected = project(view, due)
  const decided = notBefore(
    at,
    decide(projected, view) ?? { account: projected.account, entries: [] },
    projected.before,
  )
  const told = [
    ...stepFacts(view, projected, { before: projected.before, decided: projected }),
    ...stepFacts(view, projected, { before: projected.account, decided }),
  ]
  const entries = [...projected.entries, ...decided.entries]
  return {
    key: view.key,
    accountId: view.stored?.accountId ?? ids.accountIdOf(view.key),
    expected: view.stored?.version ?? null,
    expectedStamp: view.stored?.stamp ?? null,
    clockAhead: view.clockAhead,
    before: view.stored?.account ?? null,
    account: decided.account,
    entries: entries.map((entry) => {
      const metadata = metadataOf(decided.account, entry)
      const cause = { ...entry.cause, metadata }
      return { ...entry, at, cause, entryId: ids.newId('cle'), brandId: projected.brandId }
    }),
    facts: told.map((fact) => ({ ...fact, messageId: ids.newId('msg'), at })),
    unsettled: view.unsettled,
    idempotencyKey,
    ownCycleAt: ownCycleAt(view, due),
    announce: false,
    at,
  }
}

/**
 * Moves a decision that was due before the account's last change to the time of that change, with
 * the grants that it makes.
 */
function notBefore(at: Instant, decided: Decided, before: Account): Decided {
  const grants = decided.account.grants.map((grant) =>
    grant.number > before.grantsMade && grant.createdAt < at ? { ...grant, createdAt: at } : grant,
  )
  return { ...decided, account: { ...decided.account, grants } }
}
