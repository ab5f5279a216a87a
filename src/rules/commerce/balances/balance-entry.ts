import assert from 'node:assert/strict'
import type { NewId } from '../../../std/id.ts'
import type { Instant } from '../../../std/instant.ts'
import type { Currency } from '../currency.ts'

/** Kinds of entries that the contract knows; [payouts#entries] says which of them are made. */
export const balanceEventTypes = [
  'payment',
  'refund',
  'refund_reversal',
  'dispute',
  'dispute_reversal',
  'tax',
  'tax_reversal',
  'payment_fees',
  'refund_fees',
  'refund_fees_reversal',
  'dispute_fees',
  'payout',
  'payout_fees',
  'payout_reversal',
  'payout_fees_reversal',
  'dodo_credits',
  'adjustment',
  'currency_conversion',
  'abandoned_cart_recovery_fee',
  'dunning_fees',
  'payment_retry_fee',
  'byop_fee',
] as const
export type BalanceEventType = (typeof balanceEventTypes)[number]

/** The kinds that we make. [payouts#entries] */
export type BookedType = (typeof takings)[number] | (typeof earnings)[number]

/** They lower the balance of the business. */
const takings = [
  'payment_fees',
  'refund',
  'refund_fees',
  'dispute',
  'dispute_fees',
  'payout_fees',
  'payout',
] as const

/** They raise it. */
const earnings = ['payment', 'dispute_reversal', 'payout_reversal', 'payout_fees_reversal'] as const

/** One movement of a business's money in one currency. The store chains it. [payouts#ledger] */
export interface BalanceEntry {
  readonly entryId: string
  readonly currency: Currency
  readonly eventType: BookedType
  readonly isCredit: boolean
  /** In the currency's smallest unit; above 0. */
  readonly amount: number
  /** The payment, refund, dispute or payout behind it. */
  readonly referenceId: string
  readonly description: string | null
  readonly createdAt: Instant
}

/** An entry in its place: each begins with the balance that the one before it has left. */
export interface ChainedEntry extends BalanceEntry {
  /** From 1 on, without gaps, in each currency of a business and mode. */
  readonly number: number
  readonly balanceBefore: number
  readonly balanceAfter: number
}

/** What the entries of one kind move together: below 0 where they take. */
export interface EntryTotal {
  readonly eventType: BookedType
  readonly total: number
}

/** What is to be booked together. An amount of 0 is no entry. */
export interface Booking {
  readonly currency: Currency
  readonly referenceId: string
  readonly at: Instant
  readonly amounts: readonly (readonly [BookedType, number])[]
  readonly description?: string | null
}

/** The entries of one cause, in their order. [payouts#entries] */
export const booked = (newId: NewId, booking: Booking): readonly BalanceEntry[] =>
  booking.amounts.flatMap(([eventType, amount]) => {
    assert(Number.isSafeInteger(amount) && amount >= 0, 'An entry moves a whole amount.')
    if (amount === 0) return []
    return {
      entryId: newId('ble'),
      currency: booking.currency,
      eventType,
      isCredit: earnings.some((each) => each === eventType),
      amount,
      referenceId: booking.referenceId,
      description: booking.description ?? null,
      createdAt: booking.at,
    }
  })
