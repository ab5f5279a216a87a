import { creditTransactionTypes } from '../../rules/facts/ledger-facts.ts'
import type { CustomerCredit, CustomerCreditBalance } from '../credit-balance.ts'
import type { CreditGrant } from '../credit-grant.ts'
import type { CreditLedgerEntry } from '../credit-ledger-entry.ts'
import type { LedgerAdjustmentView } from '../ledger-adjustment.ts'
import {
  anyObject,
  choiceField,
  decimalField,
  flagField,
  named,
  orNull,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
} from './shape.ts'

export const customerCreditAnswer = named(
  'CustomerCredit',
  shape<CustomerCredit>({
    balance: decimalField,
    credit_entitlement_id: textField,
    description: textOrNull,
    name: textField,
    overage: decimalField,
    unit: textField,
  }),
)

export const balanceAnswer = named(
  'CustomerCreditBalance',
  shape<CustomerCreditBalance>({
    id: textField,
    balance: decimalField,
    created_at: timeField,
    credit_entitlement_id: textField,
    customer_id: textField,
    last_transaction_at: timeOrNull,
    overage: decimalField,
    updated_at: timeField,
  }),
)

export const grantAnswer = named(
  'CreditGrant',
  shape<CreditGrant>({
    id: textField,
    created_at: timeField,
    credit_entitlement_id: textField,
    customer_id: textField,
    expires_at: timeOrNull,
    initial_amount: decimalField,
    is_expired: flagField,
    is_rolled_over: flagField,
    metadata: orNull(anyObject),
    parent_grant_id: textOrNull,
    remaining_amount: decimalField,
    rollover_count: wholeField,
    source_id: textOrNull,
    source_type: choiceField(['subscription', 'one_time', 'addon', 'api', 'rollover']),
    updated_at: timeField,
  }),
)

export const ledgerEntryAnswer = named(
  'CreditLedgerEntry',
  shape<CreditLedgerEntry>({
    id: textField,
    business_id: textField,
    brand_id: textField,
    customer_id: textField,
    credit_entitlement_id: textField,
    transaction_type: choiceField(creditTransactionTypes),
    is_credit: flagField,
    amount: decimalField,
    balance_before: decimalField,
    balance_after: decimalField,
    overage_before: decimalField,
    overage_after: decimalField,
    grant_id: textOrNull,
    reference_type: textOrNull,
    reference_id: textOrNull,
    description: textOrNull,
    metadata: anyObject,
    created_at: timeField,
  }),
)

export const adjustmentAnswer = named(
  'LedgerAdjustment',
  shape<LedgerAdjustmentView>({
    id: textField,
    amount: decimalField,
    balance_after: decimalField,
    balance_before: decimalField,
    created_at: timeField,
    credit_entitlement_id: textField,
    customer_id: textField,
    entry_type: choiceField(['credit', 'debit']),
    grant_id: textOrNull,
    is_credit: flagField,
    overage_after: decimalField,
    overage_before: decimalField,
    reason: textOrNull,
  }),
)
