/** What payments and refunds are refused with; a part of the table of faults. */
export const paymentFaults = {
  PAYMENT_NOT_SUCCEEDED: { status: 400, retriable: false, docs: 'refunds#refusals' },
  PAYMENT_ALREADY_REFUNDED: { status: 400, retriable: false, docs: 'refunds#refusals' },
  NOTHING_TO_REFUND: { status: 400, retriable: false, docs: 'refunds#refusals' },
  REFUND_WINDOW_EXPIRED: { status: 400, retriable: false, docs: 'refunds#refusals' },
  ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED: {
    status: 400,
    retriable: false,
    docs: 'refunds#refusals',
  },
  LINE_ITEM_NOT_FOUND: { status: 404, retriable: false, docs: 'refunds#refusals' },
  EXISTING_REFUND_REQUEST_PROCESSING: {
    status: 409,
    retriable: false,
    docs: 'refunds#refusals',
  },
  LINE_ITEM_FULLY_REFUNDED: { status: 422, retriable: false, docs: 'refunds#refusals' },
  LINE_ITEM_REFUND_AMOUNT_TOO_HIGH: { status: 422, retriable: false, docs: 'refunds#refusals' },
  LINE_ITEM_REFUND_AMOUNT_TOO_LOW: { status: 422, retriable: false, docs: 'refunds#refusals' },
  REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT: { status: 422, retriable: false, docs: 'refunds#refusals' },
  PREVIOUS_PAYMENT_PENDING: { status: 409, retriable: true, docs: 'payments#news' },
  CHECKOUT_SESSION_CONSUMED: { status: 410, retriable: false, docs: 'payments#checkout-sessions' },
  CHECKOUT_SESSION_EXPIRED: {
    status: 410,
    retriable: false,
    wire: 'CHECKOUT_SESSION_CONSUMED',
    docs: 'payments#checkout-sessions',
  },
  DUPLICATE_LINE_ITEMS_IN_REQUEST: {
    status: 422,
    retriable: false,
    docs: 'payments#checkout-sessions',
  },
  NO_ELIGIBLE_PAYMENT_METHODS: {
    status: 422,
    retriable: false,
    docs: 'payments#checkout-sessions',
  },
  PAY_AS_YOU_WANT_AMOUNT_REQUIRED: {
    status: 422,
    retriable: false,
    docs: 'payments#checkout-sessions',
  },
  PRODUCT_CART_EMTPY: { status: 422, retriable: false, docs: 'payments#checkout-sessions' },
  REQUEST_AMOUNT_BELOW_MINIMUM: {
    status: 422,
    retriable: false,
    docs: 'payments#checkout-sessions',
  },
  UNSUPPORTED_BILLING_CURRENCY: {
    status: 422,
    retriable: false,
    docs: 'payments#checkout-sessions',
  },
  ADDONS_NOT_ALLOWED_FOR_ON_DEMAND: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#on-demand',
  },
  CHARGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#on-demand',
  },
  ON_DEMAND_PLAN_CHANGE_NOT_SUPPORTED: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#on-demand',
  },
  ON_DEMAND_USAGE_BASED_BILLING_NOT_SUPPORTED: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#on-demand',
  },
  ONE_TIME_PRODUCTS_NOT_ALLOWED_FOR_ON_DEMAND: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#on-demand',
  },
  INVALID_TAX_ID: { status: 422, retriable: false, docs: 'resources#taxes' },
  DISCOUNT_ALREADY_USED_ON_SUBSCRIPTION: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  DISCOUNT_NOT_APPLICABLE_TO_NEW_PRODUCT: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  DISCOUNT_CONCURRENT_REDEMPTION: {
    status: 503,
    retriable: true,
    retryAfterSeconds: 1,
    docs: 'resources#redemption',
  },
  PORTAL_LINK_EXPIRED: { status: 410, retriable: false, docs: 'payments#portal' },
} as const
