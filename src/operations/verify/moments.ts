import type { AuditedGrant } from '../../parts/store/audit.ts'
import type { GrantSource } from '../../rules/accounts/account.ts'
import type { StoredAccount } from '../../rules/accounts/view.ts'
import { calendarMonth } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'
import type { FoldedLedger, GrantTimes } from './fold.ts'

/**
 * Where an account says another time of itself than its entries do: people read when it last moved,
 * and from the month that it is in follows when its overage is closed.
 * [resources#balances, meters#who-takes-the-usage]
 */
export function momentDifferencesOf(
  { createdAt, lastTransactionAt, ownCycleAt, updatedAt }: StoredAccount,
  { beganAt, last }: FoldedLedger,
): readonly string[] {
  const found: string[] = []
  const newest = last?.createdAt ?? null
  if (lastTransactionAt !== newest) {
    found.push(
      `it last moved at ${said(lastTransactionAt)}, but its newest entry is of ${said(newest)}`,
    )
  }
  if (createdAt > (beganAt ?? updatedAt)) {
    found.push(`it was made at ${said(createdAt)}, but is of ${said(beganAt ?? updatedAt)} already`)
  }
  if (newest !== null && updatedAt < newest) {
    found.push(`it was changed at ${said(updatedAt)}, but its newest entry is of ${said(newest)}`)
  }
  if (calendarMonth(ownCycleAt).start !== ownCycleAt) {
    found.push(`its month begins at ${said(ownCycleAt)}, which is no month's beginning`)
  }
  if (ownCycleAt > updatedAt) {
    found.push(`its month begins at ${said(ownCycleAt)}, but it was changed at ${said(updatedAt)}`)
  }
  return found
}

/**
 * Where a grant says something else of its life than the account's other grants and its entries do:
 * where it came from, how often it rolled, when it was made and ended. [credits#grants,
 * credits#rollover]
 */
export function grantLives(
  grants: readonly AuditedGrant[],
  { moved }: FoldedLedger,
  updatedAt: Instant,
): readonly string[] {
  const byId = new Map(grants.map((grant) => [grant.grantId, grant]))
  const parents = new Set(grants.map((grant) => grant.parentGrantId))
  return grants.flatMap((grant) => {
    const parent = grant.parentGrantId === null ? null : (byId.get(grant.parentGrantId) ?? null)
    return [
      origin(grant, parent),
      source(grant, moved.get(grant.grantId)),
      rolled(grant, parents.has(grant.grantId)),
      lifetime(grant, moved.get(grant.grantId), updatedAt),
    ].flatMap((what) => (what === null ? [] : [`its grant ${grant.grantId} ${what}`]))
  })
}

function origin(grant: AuditedGrant, parent: AuditedGrant | null): string | null {
  const { createdAt, parentGrantId, rolloverCount, sourceType } = grant
  if (sourceType !== 'rollover') {
    if (parentGrantId === null && rolloverCount === 0) return null
    return `is ${sourceType}, but rolled ${rolloverCount} times, from ${parentGrantId ?? 'nothing'}`
  }
  if (parent === null) return `rolled over from ${parentGrantId ?? 'nothing'}, which is not there`
  if (rolloverCount !== parent.rolloverCount + 1) {
    return `rolled ${rolloverCount} times, but the one it came from ${parent.rolloverCount} times`
  }
  if (parent.endedAt === createdAt) return null
  return `rolled over at ${said(createdAt)}, but the one it came from ended at ${said(parent.endedAt)}`
}

/** Which source the rule that made a grant gives it. */
const sourceOf: ReadonlyMap<string, GrantSource> = new Map([
  ['cycle_grant', 'subscription'],
  ['plan_change_grant', 'subscription'],
  ['purchase_grant', 'one_time'],
  ['manual_credit', 'api'],
  ['credit_rolled_over', 'rollover'],
])

function source({ sourceType }: AuditedGrant, moved: GrantTimes | undefined): string | null {
  const rule = moved?.rule ?? null
  const expected = sourceOf.get(rule ?? '')
  if (expected === undefined || sourceType === expected) return null
  return `is ${sourceType}, but was made by the rule ${rule}`
}

function rolled({ rolledOver }: AuditedGrant, isParent: boolean): string | null {
  if (rolledOver === isParent) return null
  return isParent ? 'rolled over, and says that it did not' : 'did not roll over, and says it did'
}

function lifetime(
  { createdAt, endedAt }: AuditedGrant,
  moved: GrantTimes | undefined,
  updatedAt: Instant,
): string | null {
  // A grant without an entry is found by what it was given.
  if (moved === undefined) return null
  if (createdAt !== moved.first) {
    return `was made at ${said(createdAt)}, but its first entry is of ${said(moved.first)}`
  }
  if (endedAt === null) return null
  if (endedAt > updatedAt) {
    return `ended at ${said(endedAt)}, but its account last changed at ${said(updatedAt)}`
  }
  if (endedAt >= moved.last) return null
  return `ended at ${said(endedAt)}, but its newest entry is of ${said(moved.last)}`
}

const said = (at: Instant | null): string => (at === null ? 'no time' : formatInstant(at))
