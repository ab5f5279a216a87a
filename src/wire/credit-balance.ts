import { balanceAt } from '../rules/accounts/account.ts'
import { formatCredits } from '../rules/accounts/credits.ts'
import type { ReadAccount } from '../rules/accounts/read-account.ts'
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

export const balanceText = ({ account, at }: ReadAccount): string =>
  formatCredits(balanceAt(account, at), account.precision)

export const overageText = ({ account }: ReadAccount): string =>
  formatCredits(account.state.overage, account.precision)

/** A line of a customer's credit entitlements. [resources#customers] */
export interface CustomerCredit {
  readonly balance: string
  readonly credit_entitlement_id: string
  readonly description: string | null
  readonly name: string
  readonly overage: string
  readonly unit: string
}
