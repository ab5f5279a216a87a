import { refundStatuses } from '../../rules/commerce/refunds/refund.ts'
import { currencies } from '../enums.ts'
import type { RefundListItem, RefundView } from '../refund.ts'
import {
  choiceField,
  flagField,
  metadataField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'
import { customerShape } from './subscriptions.ts'

const common = {
  amount: wholeField,
  business_id: textField,
  created_at: timeField,
  currency: choiceField(currencies),
  is_partial: flagField,
  payment_id: textField,
  reason: textOrNull,
  refund_id: textField,
  status: choiceField(refundStatuses),
}

export const refundItemShape = shape<RefundListItem>(common)

export const refundItemAnswer = named('RefundListItem', refundItemShape)

export const refundAnswer = named(
  'Refund',
  shape<RefundView>({
    ...common,
    brand_id: textField,
    customer: customerShape,
    metadata: metadataField,
  }),
)
