import { balanceEventTypes } from '../../rules/commerce/balances/balance-entry.ts'
import { payoutStatuses } from '../../rules/commerce/payouts/payout.ts'
import { currencies } from '../enums.ts'
import type { BreakupView, PaidEntryView, PayoutView } from '../payout.ts'
import {
  choiceField,
  listField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

export const payoutAnswer = named(
  'PayoutListResponse',
  shape<PayoutView>({
    amount: wholeField,
    business_id: textField,
    chargebacks: wholeField,
    created_at: timeField,
    currency: choiceField(currencies),
    fee: wholeField,
    name: textField,
    payment_method: textField,
    payout_document_url: textOrNull,
    payout_id: textField,
    refunds: wholeField,
    remarks: textOrNull,
    status: choiceField(payoutStatuses),
    tax: wholeField,
    updated_at: timeField,
  }),
)

export const breakupAnswer = named(
  'BreakupRetrieveResponse',
  listField(shape<BreakupView>({ event_type: choiceField(balanceEventTypes), total: wholeField })),
)

export const paidEntryAnswer = named(
  'DetailListResponse',
  shape<PaidEntryView>({
    id: textField,
    created_at: timeField,
    description: textOrNull,
    event_type: choiceField(balanceEventTypes),
    original_amount: wholeField,
    original_currency: choiceField(currencies),
    payout_currency_amount: wholeField,
    reference_object_id: textField,
    usd_equivalent_amount: wholeField,
  }),
)
