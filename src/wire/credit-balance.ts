import { balanceAt } from '../rules/accounts/account.ts'
import { formatCredits } from '../rules/accounts/credits.ts'
import type { HeldCredits, ReadAccount } from '../rules/accounts/read-account.ts'
import { formatInstant } from '../std/instant.ts'

/** One customer's balance under one entitlement. [resources#balances] */
export interface CustomerCreditBalance {
  readonly id: string
  readonly balance: string
  readonly created_at: string
  readonly credit_entitlement_id: string
  readonly customer_id: string
  readonly last_transaction_at: string | null
  readonly overage: string
  readonly updated_at: string
}

export function customerCreditBalance(read: ReadAccount): CustomerCreditBalance {
  return {
    id: read.accountId,
    balance: balanceText(read),
    created_at: formatInstant(read.createdAt),
    credit_entitlement_id: read.entitlementId,
    customer_id: read.customerId,
    last_transaction_at:
      read.lastTransactionAt === null ? null : formatInstant(read.lastTransactionAt),
    overage: overageText(read),
    updated_at: formatInstant(read.updatedAt),
  }
}

/** Null: nothing ever happened to the account. */
export const balanceText = (read: ReadAccount | null): string =>
  read === null ? '0' : formatCredits(balanceAt(read.account, read.at), read.account.precision)

export const overageText = (read: ReadAccount | null): string =>
  read === null ? '0' : formatCredits(read.account.state.overage, read.account.precision)

/** A line of a customer's credit entitlements. [resources#customers] */
export interface CustomerCredit {
  readonly balance: string
  readonly credit_entitlement_id: string
  readonly description: string | null
  readonly name: string
  readonly overage: string
  readonly unit: string
}

export const customerCreditView = (held: HeldCredits): CustomerCredit => ({
  balance: balanceText(held.read),
  credit_entitlement_id: held.read.entitlementId,
  description: held.description,
  name: held.name,
  overage: overageText(held.read),
  unit: held.unit,
})
