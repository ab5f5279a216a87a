/** Why a refund is refused: a code of the API, and a sentence. [refunds#refusals] */
export interface RefundRejection {
  readonly code: RefundRejectionCode
  readonly problem: string
}

export type RefundRejectionCode =
  | 'DUPLICATE_LINE_ITEMS_IN_REQUEST'
  | 'EXISTING_REFUND_REQUEST_PROCESSING'
  | 'LINE_ITEM_FULLY_REFUNDED'
  | 'LINE_ITEM_NOT_FOUND'
  | 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH'
  | 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW'
  | 'NOTHING_TO_REFUND'
  | 'PAYMENT_ALREADY_REFUNDED'
  | 'PAYMENT_NOT_SUCCEEDED'
  | 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT'
  | 'REFUND_WINDOW_EXPIRED'
  | 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED'
