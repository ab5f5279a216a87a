import assert from 'node:assert/strict'
import type { Instant } from '../../../std/instant.ts'
import type { MovedWallet, Wallet } from '../wallets/wallet.ts'
import { movedWallet } from '../wallets/wallet.ts'
import type { Payment } from './payment.ts'

/** What is left to charge where the wallet pays a part. */
export const chargedAmount = ({
  fromWallet,
  totalAmount,
}: Pick<Payment, 'fromWallet' | 'totalAmount'>): number => totalAmount - fromWallet

/** Whether the customer's wallets pay all of an amount, so that nothing is to be charged. */
export const areEnough = (
  wallets: readonly Wallet[],
  due: Pick<Payment, 'currency' | 'totalAmount'>,
): boolean => (walletFor(wallets, due)?.balance ?? 0) >= due.totalAmount

/**
 * An attempt to be paid a renewal, of which the wallet in its currency pays as much as it holds,
 * and that wallet afterwards. Nothing is taken where the rest has nothing that could be charged.
 * [resources#wallets]
 */
export function withWallet(
  attempt: Payment,
  wallets: readonly Wallet[],
  moved: { readonly entryId: string; readonly at: Instant },
): { readonly payment: Payment; readonly paid: PaidByWallet | null } {
  const whole = { ...attempt, fromWallet: 0 }
  const wallet = walletFor(wallets, attempt)
  const fromWallet = Math.min(wallet?.balance ?? 0, attempt.totalAmount)
  const rest = attempt.totalAmount - fromWallet
  if (wallet === null || fromWallet === 0 || (rest > 0 && attempt.token === null)) {
    return { payment: whole, paid: null }
  }
  const { customerId, paymentId } = attempt
  const entry = { eventType: 'payment', isCredit: false, amount: fromWallet } as const
  const paid = move(wallet, { ...entry, customerId, referenceId: paymentId }, moved)
  const charged = rest > 0 ? {} : { token: null, card: null, paymentMethodId: null }
  return { payment: { ...whole, ...charged, fromWallet }, paid }
}

/** A wallet before and after one of its entries. */
export interface PaidByWallet extends MovedWallet {
  readonly before: Wallet
}

/** What the wallet has paid of an attempt that has come to nothing goes back; null: nothing did. */
export function walletReversed(
  payment: Payment,
  wallets: readonly Wallet[],
  moved: { readonly entryId: string; readonly at: Instant },
): PaidByWallet | null {
  const { customerId, fromWallet: amount, paymentId: referenceId } = payment
  const entry = { eventType: 'payment_reversal', isCredit: true, amount } as const
  return backTo(payment, wallets, { move: { ...entry, customerId, referenceId }, moved })
}

/** What of a refund goes back into the wallet; null: nothing. [refunds#wallets] */
export function walletRefunded(
  payment: Payment,
  wallets: readonly Wallet[],
  of: {
    readonly refundId: string
    /** What of it does not go back to what was charged. */
    readonly amount: number
    readonly moved: { readonly entryId: string; readonly at: Instant }
  },
): PaidByWallet | null {
  const { customerId } = payment
  const entry = { eventType: 'refund', isCredit: true, amount: of.amount } as const
  const move = { ...entry, customerId, referenceId: of.refundId }
  return backTo(payment, wallets, { move, moved: of.moved })
}

const walletFor = (
  wallets: readonly Wallet[],
  { currency }: Pick<Payment, 'currency'>,
): Wallet | null => wallets.find((wallet) => wallet.currency === currency) ?? null

type Move = Omit<Parameters<typeof movedWallet>[1], 'currency' | 'idempotencyKey' | 'reason'>

function backTo(
  payment: Payment,
  wallets: readonly Wallet[],
  of: { readonly move: Move; readonly moved: { readonly entryId: string; readonly at: Instant } },
): PaidByWallet | null {
  if (of.move.amount === 0) return null
  const wallet = walletFor(wallets, payment)
  assert(wallet !== null, 'a wallet that has paid is gone')
  return move(wallet, of.move, of.moved)
}

function move(
  wallet: Wallet,
  of: Move,
  moved: { readonly entryId: string; readonly at: Instant },
): PaidByWallet {
  const { currency } = wallet
  const made = movedWallet(wallet, { ...of, currency, idempotencyKey: null, reason: null }, moved)
  assert(!('code' in made), 'a wallet pays what it holds, and takes back what it has paid')
  return { ...made, before: wallet }
}
