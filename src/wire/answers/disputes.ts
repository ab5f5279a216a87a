import { disputeStages, disputeStatuses } from '../../rules/commerce/disputes/dispute.ts'
import type { DisputeListItem, DisputeView, disputeOfPayment } from '../dispute.ts'
import { currencies } from '../enums.ts'
import {
  choiceField,
  decimalField,
  flagField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
} from './shape.ts'
import { customerShape } from './subscriptions.ts'

const common = {
  amount: decimalField,
  business_id: textField,
  created_at: timeField,
  currency: choiceField(currencies),
  dispute_id: textField,
  dispute_stage: choiceField(disputeStages),
  dispute_status: choiceField(disputeStatuses),
  is_resolved_by_rdr: flagField,
  payment_id: textField,
}
const payment_provider = choiceField(['stripe', 'adyen', 'dodo'])

export const disputeOfPaymentShape = shape<ReturnType<typeof disputeOfPayment>>({
  ...common,
  remarks: textOrNull,
})

export const disputeItemAnswer = named(
  'DisputeListItem',
  shape<DisputeListItem>({ ...common, payment_provider }),
)

export const disputeAnswer = named(
  'Dispute',
  shape<DisputeView>({
    ...common,
    payment_provider,
    brand_id: textField,
    customer: customerShape,
    reason: textOrNull,
    remarks: textOrNull,
  }),
)
