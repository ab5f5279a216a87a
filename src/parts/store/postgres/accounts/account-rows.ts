import type { Account } from '../../../../rules/accounts/account.ts'
import type { AccountChange } from '../../../../rules/accounts/change.ts'
import type { Credits } from '../../../../rules/accounts/credits.ts'
import { formatCredits } from '../../../../rules/accounts/credits.ts'
import type { Placement } from '../../../../rules/accounts/place.ts'
import { balanceOf } from '../../../../rules/accounts/place.ts'
import type { OverageTerms } from '../../../../rules/accounts/terms.ts'
import { noOverage } from '../../../../rules/accounts/terms.ts'
import type { StoredAccount } from '../../../../rules/accounts/view.ts'
import type { OverageBehavior } from '../../../../rules/commerce/catalog/credit-settings.ts'
import { timestamptz } from '../connection/client.ts'
import { creditsFrom, instantFrom, instantOrNull } from '../connection/values.ts'
import type { ChargeJson } from './charge-rows.ts'
import { chargeFrom } from './charge-rows.ts'
import type { GrantJson } from './grant-rows.ts'
import { grantFrom } from './grant-rows.ts'

/** An account with its grants and charges, as load_accounts() answers it. */
export interface StoredDocument {
  readonly account: AccountJson | null
  readonly grants: readonly GrantJson[]
  readonly charged: readonly ChargeJson[]
}

interface AccountJson {
  readonly account_id: string
  readonly version: number
  readonly stamp: number
  readonly entries: number
  readonly overage: string
  readonly dropped: string
  readonly unreturned: string
  readonly base_overage: string
  readonly base_dropped: string
  readonly base_unreturned: string
  readonly dropped_closed: string
  readonly unreturned_closed: string
  readonly grants: number
  readonly overage_terms: OverageTermsJson | null
  readonly set_aside: string | null
  readonly own_cycle_at: string
  readonly last_transaction_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

interface OverageTermsJson {
  readonly enabled: boolean
  readonly limit: string | null
  readonly behavior: OverageBehavior
}

export function storedOf(document: StoredDocument, precision: number): StoredAccount | null {
  const { account: row } = document
  if (row === null) return null
  return {
    accountId: row.account_id,
    version: row.version,
    stamp: row.stamp,
    account: accountOf(row, document, precision),
    setAside: row.set_aside,
    ownCycleAt: instantFrom(row.own_cycle_at),
    createdAt: instantFrom(row.created_at),
    updatedAt: instantFrom(row.updated_at),
    lastTransactionAt: instantOrNull(row.last_transaction_at),
  }
}

function accountOf(row: AccountJson, document: StoredDocument, precision: number): Account {
  const amount = (text: string) => creditsFrom(text, precision)
  const state: Placement = {
    holdings: document.grants.map((grant) => ({
      remaining: amount(grant.remaining),
      drawn: amount(grant.drawn),
    })),
    overage: amount(row.overage),
    dropped: amount(row.dropped),
    unreturned: amount(row.unreturned),
  }
  const base: Placement = {
    holdings: document.grants.map((grant) => ({
      remaining: amount(grant.base_remaining),
      drawn: amount(grant.base_drawn),
    })),
    overage: amount(row.base_overage),
    dropped: amount(row.base_dropped),
    unreturned: amount(row.base_unreturned),
  }
  return {
    precision,
    entries: row.entries,
    grantsMade: row.grants,
    grants: document.grants.map((grant) => grantFrom(grant, precision)),
    ended: [],
    base,
    state,
    overageTerms: overageFrom(row.overage_terms, precision),
    charges: document.charged.map((charge) => chargeFrom(charge, precision)),
    closed: {
      dropped: amount(row.dropped_closed),
      unreturned: amount(row.unreturned_closed),
    },
  }
}

/**
 * An account as write_accounts() takes it, with what standing_accounts() compares. Written field by
 * field: with a spread in front, an account costs over twenty times as much.
 */
export function accountRow(change: AccountChange): object {
  const { account, accountId, key, expected, expectedStamp } = change
  const text = (value: Credits): string => formatCredits(value, account.precision)
  return {
    expected,
    expected_stamp: expectedStamp,
    clock_ahead: change.clockAhead,
    idempotency_key: change.idempotencyKey,
    announce: change.announce,
    account_id: accountId,
    business_id: key.businessId,
    mode: key.mode,
    customer_id: key.customerId,
    entitlement_id: key.entitlementId,
    version: (expected ?? 0) + 1,
    entries: account.entries,
    balance: text(balanceOf(account.state)),
    overage: text(account.state.overage),
    dropped: text(account.state.dropped),
    unreturned: text(account.state.unreturned),
    base_overage: text(account.base.overage),
    base_dropped: text(account.base.dropped),
    base_unreturned: text(account.base.unreturned),
    dropped_closed: text(account.closed.dropped),
    unreturned_closed: text(account.closed.unreturned),
    grants: account.grantsMade,
    overage_terms: overageJson(account.overageTerms, account.precision),
    own_cycle_at: timestamptz(change.ownCycleAt),
    last_transaction_at: change.entries.length > 0 ? timestamptz(change.at) : null,
    updated_at: timestamptz(change.at),
  }
}

function overageFrom(json: OverageTermsJson | null, precision: number): OverageTerms {
  if (json === null) return noOverage
  return {
    enabled: json.enabled,
    limit: json.limit === null ? null : creditsFrom(json.limit, precision),
    behavior: json.behavior,
  }
}

const overageJson = (terms: OverageTerms, precision: number): OverageTermsJson => ({
  enabled: terms.enabled,
  limit: terms.limit === null ? null : formatCredits(terms.limit, precision),
  behavior: terms.behavior,
})
