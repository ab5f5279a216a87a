import type { Wallet, WalletEntry, WalletEventType } from '../rules/commerce/wallets/wallet.ts'
import { totalInUsd } from '../rules/commerce/wallets/wallet.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { Currency } from './enums.ts'
import { currencies } from './enums.ts'
import { nullable, oneOf, text, whole } from './schemas.ts'

/** [resources#wallets] */
export interface WalletEntryCreate {
  readonly amount: number
  readonly currency: Currency
  readonly entry_type: 'credit' | 'debit'
  readonly idempotency_key?: string | null
  readonly reason?: string | null
}

export const walletEntryCreate = schema<WalletEntryCreate>({
  type: 'object',
  required: ['amount', 'currency', 'entry_type'],
  properties: {
    amount: whole(1, Number.MAX_SAFE_INTEGER),
    currency: oneOf(currencies),
    entry_type: oneOf(['credit', 'debit']),
    idempotency_key: nullable(text(1, 255)),
    reason: nullable(text(0, 1_000)),
  },
})

/** What a body asks for, in any currency. */
export const wantedWalletEntry = (body: WalletEntryCreate) => ({
  amount: body.amount,
  currency: body.currency,
  isCredit: body.entry_type === 'credit',
  idempotencyKey: body.idempotency_key ?? null,
  reason: body.reason ?? null,
})

/** [resources#wallets] */
export interface WalletView {
  readonly customer_id: string
  readonly currency: Currency
  readonly balance: number
  readonly created_at: string
  readonly updated_at: string
}

export const walletView = (wallet: Wallet): WalletView => ({
  customer_id: wallet.customerId,
  currency: wallet.currency,
  balance: wallet.balance,
  created_at: formatInstant(wallet.createdAt),
  updated_at: formatInstant(wallet.updatedAt),
})

export interface WalletListView {
  readonly items: readonly WalletView[]
  readonly total_balance_usd: number
}

export const walletListView = (wallets: readonly Wallet[]): WalletListView => ({
  items: wallets.map(walletView),
  total_balance_usd: totalInUsd(wallets),
})

/** [resources#wallets] */
export interface WalletEntryView {
  readonly id: string
  readonly business_id: string
  readonly customer_id: string
  readonly currency: Currency
  readonly event_type: WalletEventType
  readonly is_credit: boolean
  readonly amount: number
  readonly before_balance: number
  readonly after_balance: number
  readonly reason: string | null
  readonly reference_object_id: string | null
  readonly created_at: string
}

export const walletEntryView = (businessId: string, entry: WalletEntry): WalletEntryView => ({
  id: entry.entryId,
  business_id: businessId,
  customer_id: entry.customerId,
  currency: entry.currency,
  event_type: entry.eventType,
  is_credit: entry.isCredit,
  amount: entry.amount,
  before_balance: entry.balanceBefore,
  after_balance: entry.balanceAfter,
  reason: entry.reason,
  reference_object_id: entry.referenceId,
  created_at: formatInstant(entry.createdAt),
})
