import { balanceAt } from '../rules/accounts/account.ts'
import type { AccountChange } from '../rules/accounts/change.ts'
import { formatCredits } from '../rules/accounts/credits.ts'
import type { Payment } from '../rules/commerce/payments/payment.ts'
import type { SubscriptionView } from './subscription-view.ts'

interface ForeseenEffects {
  readonly accounts: readonly AccountChange[]
  readonly payment: Pick<Payment, 'totalAmount' | 'currency'> | null
}

/** A subscription as a change would leave it, and what would become of its customer's credits. */
export const foreseenView = (
  subscription: SubscriptionView,
  { accounts, payment }: ForeseenEffects,
) => ({
  subscription,
  charge: payment === null ? null : { amount: payment.totalAmount, currency: payment.currency },
  credits: accounts
    .filter(({ entries }) => entries.length > 0)
    .map(({ account, at, entries, key }) => ({
      credit_entitlement_id: key.entitlementId,
      balance_after: formatCredits(balanceAt(account, at), account.precision),
      entries: entries.map((entry) => ({
        transaction_type: entry.type,
        is_credit: entry.isCredit,
        amount: formatCredits(entry.amount, account.precision),
      })),
    })),
})

type ForeseenPayment = Pick<Payment, 'card' | 'currency' | 'fromWallet' | 'tax' | 'totalAmount'>

/** What would be charged, of which the wallet pays its part first; null: no card is charged. */
export const foreseenCharge = (payment: ForeseenPayment) => ({
  amount: payment.totalAmount,
  tax: payment.tax,
  from_wallet: payment.fromWallet,
  currency: payment.currency,
  card_last_four: payment.card?.lastFour ?? null,
})
