import { currencies, walletEventTypes } from '../enums.ts'
import type { WalletEntryView, WalletListView, WalletView } from '../wallet.ts'
import {
  choiceField,
  flagField,
  listField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

export const walletAnswer = named(
  'CustomerWallet',
  shape<WalletView>({
    customer_id: textField,
    currency: choiceField(currencies),
    balance: wholeField,
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const walletListAnswer = named(
  'CustomerWallets',
  shape<WalletListView>({
    items: listField(walletAnswer.definition),
    total_balance_usd: wholeField,
  }),
)

export const walletEntryAnswer = named(
  'CustomerWalletTransaction',
  shape<WalletEntryView>({
    id: textField,
    business_id: textField,
    customer_id: textField,
    currency: choiceField(currencies),
    event_type: choiceField(walletEventTypes),
    is_credit: flagField,
    amount: wholeField,
    before_balance: wholeField,
    after_balance: wholeField,
    reason: textOrNull,
    reference_object_id: textOrNull,
    created_at: timeField,
  }),
)
