import type { Account, Grant, GrantSource } from '../../../../rules/accounts/account.ts'
import type { AccountChange } from '../../../../rules/accounts/change.ts'
import type { Credits } from '../../../../rules/accounts/credits.ts'
import { formatCredits, noCredits } from '../../../../rules/accounts/credits.ts'
import type { Holding } from '../../../../rules/accounts/place.ts'
import type { RecordedGrant } from '../../../../rules/accounts/recorded-grant.ts'
import type { Instant } from '../../../../std/instant.ts'
import { timestamptz } from '../connection/client.ts'
import { creditsFrom, instantFrom, instantOrNull } from '../connection/values.ts'

/** A grant as load_accounts() answers it. */
export interface GrantJson {
  readonly grant_id: string
  readonly number: number
  readonly source_type: GrantSource
  readonly source_id: string | null
  readonly parent_grant_id: string | null
  readonly rollover_count: number
  readonly cycle_at: string | null
  readonly initial: string
  readonly remaining: string
  readonly drawn: string
  readonly base_remaining: string
  readonly base_drawn: string
  readonly expires_at: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: string
}

export const grantFrom = (json: GrantJson, precision: number): Grant => ({
  grantId: json.grant_id,
  number: json.number,
  sourceType: json.source_type,
  sourceId: json.source_id,
  parentGrantId: json.parent_grant_id,
  rolloverCount: json.rollover_count,
  initial: creditsFrom(json.initial, precision),
  cycleAt: instantOrNull(json.cycle_at),
  expiresAt: instantOrNull(json.expires_at),
  metadata: json.metadata,
  createdAt: instantFrom(json.created_at),
})

/** The grants that a change makes, moves and ends, as write_accounts() takes them. */
export const grantRows = (change: AccountChange): readonly object[] => [
  ...movedRows(change),
  ...endedRows(change),
]

/** Only grants that are new or moved are written: an account may hold many. */
function movedRows(change: AccountChange): readonly object[] {
  const { account, before } = change
  return account.grants.flatMap((grant, index) => {
    const [state, base] = [account.state.holdings[index], account.base.holdings[index]]
    if (state === undefined || base === undefined) throw new Error('A grant without a holding.')
    if (before !== null && sameHolding(before, account, index)) return []
    return [grantRow(grant, change, { state, base, rolledOver: false, endedAt: null })]
  })
}

/** Grants that ended with this change: nothing is left in them. */
function endedRows(change: AccountChange): readonly object[] {
  const { account, at } = change
  const rolled = new Set(account.grants.map((grant) => grant.parentGrantId))
  return account.ended.map(({ grant, drawn }) => {
    const held = { remaining: noCredits, drawn }
    const rolledOver = rolled.has(grant.grantId)
    return grantRow(grant, change, { state: held, base: held, rolledOver, endedAt: at })
  })
}

interface GrantState {
  readonly state: Holding
  readonly base: Holding
  readonly rolledOver: boolean
  readonly endedAt: Instant | null
}

function grantRow(grant: Grant, { account, accountId, at }: AccountChange, held: GrantState) {
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

/** A grant as the database has it. */
export interface GrantRow {
  readonly grant_id: string
  readonly source_type: GrantSource
  readonly source_id: string | null
  readonly parent_grant_id: string | null
  readonly rollover_count: number
  readonly rolled_over: boolean
  readonly initial: string
  readonly remaining: string
  readonly expires_at: Instant | null
  readonly ended_at: Instant | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const recordedGrantOf = (row: GrantRow): RecordedGrant => ({
  grantId: row.grant_id,
  sourceType: row.source_type,
  sourceId: row.source_id,
  parentGrantId: row.parent_grant_id,
  rolloverCount: row.rollover_count,
  rolledOver: row.rolled_over,
  initial: row.initial,
  remaining: row.remaining,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  metadata: row.metadata,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
