import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type { RefundRequest } from '../rules/commerce/refunds/new-refund.ts'
import type { Refund } from '../rules/commerce/refunds/refund.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { flag, id, metadata, nullable, refused, text, whole } from './schemas.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [resources#refunds] */
export interface RefundCreate {
  readonly payment_id: string
  readonly items?: readonly RefundItemBody[] | null
  readonly metadata?: CatalogMetadata | null
  readonly reason?: string | null
}

interface RefundItemBody {
  readonly item_id: string
  readonly amount?: number | null
  readonly tax_inclusive?: boolean | null
}

/** A caller that sends these beside `items` wants less than all that would go back. */
const ofItems = ['amount', 'item_id', 'tax_inclusive', 'line_items'] as const

export const refundCreate = schema<RefundCreate>({
  type: 'object',
  required: ['payment_id'],
  properties: {
    payment_id: id,
    items: {
      type: ['array', 'null'],
      maxItems: 100,
      items: {
        type: 'object',
        required: ['item_id'],
        properties: {
          item_id: id,
          amount: nullable(whole(-(2 ** 31), 2 ** 31 - 1)),
          tax_inclusive: nullable(flag),
        },
      },
    },
    metadata: nullable(metadata),
    reason: nullable(text(0, 3_000)),
    ...Object.fromEntries(ofItems.map((name) => [name, refused('belongs into items')])),
  },
})

export const wantedRefund = (body: RefundCreate): RefundRequest => ({
  paymentId: body.payment_id,
  items:
    body.items?.map((item) => ({
      itemId: item.item_id,
      amount: item.amount ?? null,
      taxInclusive: item.tax_inclusive ?? true,
    })) ?? null,
  metadata: body.metadata ?? {},
  reason: body.reason ?? null,
})

/** [resources#refunds] */
export type RefundView = ReturnType<typeof refundView>
/** [resources#refunds] */
export type RefundListItem = ReturnType<typeof refundListItem>

/** [resources#refunds] */
export const refundView = (businessId: string, refund: Refund, customer: Customer) => ({
  ...refundListItem(businessId, refund),
  brand_id: refund.brandId,
  customer: customerLimitedDetails(customer),
  metadata: refund.metadata,
})

/** [resources#refunds] */
export const refundListItem = (businessId: string, refund: Refund) => ({
  amount: refund.amount,
  business_id: businessId,
  created_at: formatInstant(refund.createdAt),
  currency: refund.currency,
  is_partial: refund.isPartial,
  payment_id: refund.paymentId,
  reason: refund.reason,
  refund_id: refund.refundId,
  status: refund.status,
})
