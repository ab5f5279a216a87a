import assert from 'node:assert/strict'
import { limits } from '../../../limits.ts'
import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import type { Customer } from '../catalog/customer.ts'
import type { Currency } from '../currency.ts'

/** Money that a customer has with the business, in one currency. [resources#wallets] */
export interface Wallet {
  readonly customerId: string
  readonly currency: WalletCurrency
  /** In the currency's smallest unit; never below 0. */
  readonly balance: number
  /** How many entries its ledger has. */
  readonly entries: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export const walletCurrencies = ['USD', 'INR'] as const satisfies readonly Currency[]
export type WalletCurrency = (typeof walletCurrencies)[number]

export const walletEventTypes = [
  'payment',
  'payment_reversal',
  'refund',
  'refund_reversal',
  'dispute',
  'dispute_reversal',
  'merchant_adjustment',
] as const
export type WalletEventType = (typeof walletEventTypes)[number]

/**
 * The wallets of a customer, one a currency: each is there as long as the customer is, and empty
 * until something comes into it.
 */
export const walletsOf = (
  { createdAt, customerId }: Pick<Customer, 'createdAt' | 'customerId'>,
  moved: readonly Wallet[],
): readonly Wallet[] =>
  walletCurrencies.map((currency) => {
    const found = moved.find((wallet) => wallet.currency === currency)
    const empty = { customerId, currency, balance: 0, entries: 0, updatedAt: createdAt }
    return { ...(found ?? empty), createdAt }
  })

/** One change of a wallet. Each begins with the balance that the one before it has left. */
export interface WalletEntry {
  readonly entryId: string
  readonly customerId: string
  readonly currency: WalletCurrency
  /** From 1 on, without gaps, in each wallet. */
  readonly number: number
  readonly eventType: WalletEventType
  readonly isCredit: boolean
  /** Above 0. */
  readonly amount: number
  readonly balanceBefore: number
  readonly balanceAfter: number
  readonly reason: string | null
  /** The payment, refund or dispute behind it. */
  readonly referenceId: string | null
  /** Acts once for a customer. */
  readonly idempotencyKey: string | null
  readonly createdAt: Instant
}

/** What is to happen to a wallet. */
export interface WalletMove
  extends Pick<
    WalletEntry,
    | 'amount'
    | 'currency'
    | 'customerId'
    | 'eventType'
    | 'idempotencyKey'
    | 'isCredit'
    | 'reason'
    | 'referenceId'
  > {}

/** A wallet after a change, with the change. */
export interface MovedWallet {
  readonly wallet: Wallet
  readonly entry: WalletEntry
}

export interface WalletRejection {
  readonly code: 'INSUFFICIENT_WALLET_FUNDS' | 'INTEGER_CONVERSION_FAILURE'
  readonly problem: string
}

/**
 * The wallet after a move, or why it cannot be: a debit may take all that there is, and no more.
 * Null: there is no wallet yet. The ledger never runs backwards in time. [resources#wallets]
 */
export function movedWallet(
  was: Wallet | null,
  move: WalletMove,
  { at, entryId }: { readonly at: Instant; readonly entryId: string },
): MovedWallet | WalletRejection {
  const { customerId, currency, amount, isCredit } = move
  assert(Number.isSafeInteger(amount) && amount > 0, 'A move has an amount.')
  const [balanceBefore, entries] = [was?.balance ?? 0, was?.entries ?? 0]
  const balanceAfter = balanceBefore + (isCredit ? amount : -amount)
  if (balanceAfter < 0) {
    const problem = `The wallet holds ${balanceBefore} ${currency} in the smallest unit, which is less than ${amount}.`
    return { code: 'INSUFFICIENT_WALLET_FUNDS', problem }
  }
  if (isCredit && balanceAfter > mostAfter(move)) {
    const problem = `The wallet would hold more than ${mostAfter(move)} in the smallest unit.`
    return { code: 'INTEGER_CONVERSION_FAILURE', problem }
  }
  const createdAt = was === null ? at : laterOf(at, was.updatedAt)
  const number = entries + 1
  return {
    wallet: {
      customerId,
      currency,
      balance: balanceAfter,
      entries: number,
      createdAt: was?.createdAt ?? createdAt,
      updatedAt: createdAt,
    },
    entry: { ...move, entryId, number, balanceBefore, balanceAfter, createdAt },
  }
}

/**
 * What a wallet can hold: what a JSON number can say, of which adjustments leave a part free, so
 * that money that a charge has taken always finds room when it comes back.
 */
const mostAfter = ({ eventType }: WalletMove): number =>
  eventType === 'merchant_adjustment' ? limits.walletAdjustedMax : Number.MAX_SAFE_INTEGER

/** The wallet as an entry has left it. */
export const walletAfter = (wallet: Wallet, entry: WalletEntry): Wallet => ({
  ...wallet,
  balance: entry.balanceAfter,
  entries: entry.number,
  updatedAt: entry.createdAt,
})

/** Whether a move is the one that an entry was made of, but for its words. */
export const isReplay = (entry: WalletEntry, move: WalletMove): boolean =>
  entry.currency === move.currency &&
  entry.amount === move.amount &&
  entry.isCredit === move.isCredit &&
  entry.eventType === move.eventType

/**
 * What wallets hold together, in cents. There are no exchange rates: a smallest unit counts as a
 * cent, whatever its currency. [resources#wallets]
 */
export function totalInUsd(wallets: readonly Pick<Wallet, 'balance'>[]): number {
  const total = wallets.reduce((all, { balance }) => all + BigInt(balance), 0n)
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(total < most ? total : most)
}
