import type {
  Wallet,
  WalletCurrency,
  WalletEntry,
  WalletEventType,
} from '../../../../rules/commerce/wallets/wallet.ts'
import type { Instant } from '../../../../std/instant.ts'
import type { Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/** A wallet as the database has it. */
export interface WalletRow {
  readonly customer_id: string
  readonly currency: WalletCurrency
  readonly balance: number
  readonly entries: number
  readonly created_at: Instant
  readonly updated_at: Instant
}

export const walletColumns = sql`customer_id, currency, balance, entries, created_at, updated_at`

export const walletOf = (row: WalletRow): Wallet => ({
  customerId: row.customer_id,
  currency: row.currency,
  balance: row.balance,
  entries: row.entries,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** An entry of a wallet as the database has it. */
export interface WalletEntryRow {
  readonly entry_id: string
  readonly customer_id: string
  readonly currency: WalletCurrency
  readonly number: number
  readonly event_type: WalletEventType
  readonly is_credit: boolean
  readonly amount: number
  readonly balance_before: number
  readonly balance_after: number
  readonly reason: string | null
  readonly reference_id: string | null
  readonly idempotency_key: string | null
  readonly created_at: Instant
}

export const walletEntryColumns = sql`
  entry_id, customer_id, currency, number, event_type, is_credit, amount, balance_before,
  balance_after, reason, reference_id, idempotency_key, created_at`

export const walletEntryOf = (row: WalletEntryRow): WalletEntry => ({
  entryId: row.entry_id,
  customerId: row.customer_id,
  currency: row.currency,
  number: row.number,
  eventType: row.event_type,
  isCredit: row.is_credit,
  amount: row.amount,
  balanceBefore: row.balance_before,
  balanceAfter: row.balance_after,
  reason: row.reason,
  referenceId: row.reference_id,
  idempotencyKey: row.idempotency_key,
  createdAt: row.created_at,
})

/** As write_wallets() takes it, with the entry. */
export const walletRow = ({ businessId, mode }: Scope, wallet: Wallet): object => ({
  business_id: businessId,
  mode,
  customer_id: wallet.customerId,
  currency: wallet.currency,
  balance: wallet.balance,
  entries: wallet.entries,
  created_at: timestamptz(wallet.createdAt),
  updated_at: timestamptz(wallet.updatedAt),
})

/** An entry with what its wallet does not say. */
export const walletEntryRow = (entry: WalletEntry): object => ({
  entry_id: entry.entryId,
  event_type: entry.eventType,
  is_credit: entry.isCredit,
  amount: entry.amount,
  balance_before: entry.balanceBefore,
  reason: entry.reason,
  reference_id: entry.referenceId,
  idempotency_key: entry.idempotencyKey,
})
