import type { Account, Grant } from '../../../../rules/accounts/account.ts'
import type { AccountChange, NewEntry } from '../../../../rules/accounts/change.ts'
import type { Credits } from '../../../../rules/accounts/credits.ts'
import { formatCredits, noCredits } from '../../../../rules/accounts/credits.ts'
import type { Holding } from '../../../../rules/accounts/place.ts'
import { balanceOf } from '../../../../rules/accounts/place.ts'
import type { Instant } from '../../../../std/instant.ts'
import { timestamptz } from '../connection/client.ts'
import { overageJson } from './account-documents.ts'

/** What save_accounts() takes (migration 0005). */
export const changesJson = (changes: readonly AccountChange[]): string =>
  JSON.stringify(changes.map(changeJson))

/** Field by field: with a spread in front, an account costs over twenty times as much. */
function changeJson(change: AccountChange): object {
  const { account, accountId, key } = change
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    business_id: key.businessId,
    mode: key.mode,
    customer_id: key.customerId,
    entitlement_id: key.entitlementId,
    account_id: accountId,
    expected: change.expected,
    clock_ahead: change.clockAhead,
    entries_made: account.entries,
    balance: text(balanceOf(account.state)),
    overage: text(account.state.overage),
    dropped: text(account.state.dropped),
    unreturned: text(account.state.unreturned),
    base_overage: text(account.base.overage),
    base_dropped: text(account.base.dropped),
    base_unreturned: text(account.base.unreturned),
    dropped_closed: text(account.closed.dropped),
    unreturned_closed: text(account.closed.unreturned),
    grants_made: account.grantsMade,
    overage_terms: overageJson(account.overageTerms, account.precision),
    own_cycle_at: timestamptz(change.ownCycleAt),
    last_transaction_at: change.entries.length > 0 ? timestamptz(change.at) : null,
    updated_at: timestamptz(change.at),
    grants: [...grantsJson(change), ...endedJson(change)],
    charged: chargedJson(change),
    entries: change.entries.map((entry) => entryJson(entry, change)),
    facts: change.facts.map((fact) => ({
      message_id: fact.messageId,
      business_id: key.businessId,
      mode: key.mode,
      customer_id: key.customerId,
      entitlement_id: key.entitlementId,
      type: fact.type,
      account_id: accountId,
      entry_number: fact.entryNumber,
      data: fact.data,
      at: timestamptz(fact.at),
    })),
    unsettled: change.unsettled,
    announce: change.announce,
    adjustment:
      change.idempotencyKey === null
        ? null
        : { idempotency_key: change.idempotencyKey, entry_id: change.entries[0]?.entryId },
  }
}

/** Only grants that are new or moved are written: an account may hold many. */
function grantsJson(change: AccountChange): readonly object[] {
  const { account, before } = change
  return account.grants.flatMap((grant, index) => {
    const [state, base] = [account.state.holdings[index], account.base.holdings[index]]
    if (state === undefined || base === undefined) throw new Error('A grant without a holding.')
    if (before !== null && sameHolding(before, account, index)) return []
    return [grantJson(grant, change, { state, base, rolledOver: false, endedAt: null })]
  })
}

/** Grants that ended with this change: nothing is left in them. */
function endedJson(change: AccountChange): readonly object[] {
  const { account, at } = change
  const rolled = new Set(account.grants.map((grant) => grant.parentGrantId))
  return account.ended.map(({ grant, drawn }) => {
    const held = { remaining: noCredits, drawn }
    const rolledOver = rolled.has(grant.grantId)
    return grantJson(grant, change, { state: held, base: held, rolledOver, endedAt: at })
  })
}

interface GrantState {
  readonly state: Holding
  readonly base: Holding
  readonly rolledOver: boolean
  readonly endedAt: Instant | null
}

function grantJson(grant: Grant, { account, accountId, at }: AccountChange, held: GrantState) {
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    account_id: accountId,
    number: grant.number,
    grant_id: grant.grantId,
    source_type: grant.sourceType,
    source_id: grant.sourceId,
    parent_grant_id: grant.parentGrantId,
    rollover_count: grant.rolloverCount,
    cycle_at: timestamptz(grant.cycleAt),
    initial: text(grant.initial),
    remaining: text(held.state.remaining),
    drawn: text(held.state.drawn),
    base_remaining: text(held.base.remaining),
    base_drawn: text(held.base.drawn),
    rolled_over: held.rolledOver,
    expires_at: timestamptz(grant.expiresAt),
    ended_at: timestamptz(held.endedAt),
    metadata: grant.metadata,
    created_at: timestamptz(grant.createdAt),
    updated_at: timestamptz(at),
  }
}

function sameHolding(before: Account, next: Account, index: number): boolean {
  const [was, is] = [before.grants[index], next.grants[index]]
  if (was?.grantId !== is?.grantId || was?.expiresAt !== is?.expiresAt) return false
  if (was?.cycleAt !== is?.cycleAt) return false
  const same = (a: Account['state'], b: Account['state']): boolean =>
    a.holdings[index]?.remaining === b.holdings[index]?.remaining &&
    a.holdings[index]?.drawn === b.holdings[index]?.drawn
  return same(before.state, next.state) && same(before.base, next.base)
}

function chargedJson({ account, before, accountId }: AccountChange): readonly object[] {
  const known = new Set(before?.charges ?? [])
  return account.charges
    .filter((charge) => !known.has(charge))
    .map((charge) => ({
      account_id: accountId,
      route_id: charge.routeId,
      meter_id: charge.meterId,
      cycle_at: timestamptz(charge.cycleAt),
      charged: formatCredits(charge.charged, account.precision),
      base: formatCredits(charge.base, account.precision),
    }))
}

function entryJson(entry: NewEntry, { account, accountId }: AccountChange): object {
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    account_id: accountId,
    number: entry.number,
    entry_id: entry.entryId,
    transaction_type: entry.type,
    is_credit: entry.isCredit,
    amount: text(entry.amount),
    balance_before: text(entry.balanceBefore),
    balance_after: text(entry.balanceAfter),
    overage_before: text(entry.overageBefore),
    overage_after: text(entry.overageAfter),
    grant_id: entry.grantId,
    reference_type: entry.cause.referenceType,
    reference_id: entry.cause.referenceId,
    description: entry.cause.description,
    metadata: entry.cause.metadata,
    brand_id: entry.brandId,
    inputs: entry.cause.inputs,
    created_at: timestamptz(entry.at),
  }
}
