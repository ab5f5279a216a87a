import { balanceEventTypes } from '../../rules/commerce/balances/balance-entry.ts'
import type { BalanceEntryView } from '../balance-entry.ts'
import { currencies } from '../enums.ts'
import {
  choiceField,
  flagField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

export const balanceEntryAnswer = named(
  'BalanceLedgerEntry',
  shape<BalanceEntryView>({
    id: textField,
    after_balance: wholeField,
    amount: wholeField,
    before_balance: wholeField,
    business_id: textField,
    created_at: timeField,
    currency: choiceField(currencies),
    description: textOrNull,
    event_type: choiceField(balanceEventTypes),
    is_credit: flagField,
    reference_object_id: textField,
    usd_equivalent_amount: wholeField,
  }),
)
