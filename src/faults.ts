import { paymentFaults } from './faults-payments.ts'

/**
 * Every error that leaves the process: its code, its HTTP status, and whether the same request can
 * succeed later. [requests#refusals]
 */
const faults = {
  INVALID_JSON: {
    status: 400,
    retriable: false,
    wire: 'INVALID_REQUEST_BODY',
    docs: 'requests#bodies',
  },
  INVALID_REQUEST_PARAMETERS: { status: 400, retriable: false, docs: 'requests#refusals' },
  DUPLICATE_EVENT_IDS: { status: 400, retriable: false, docs: 'events#ids' },
  EVENT_TIMESTAMP_OUT_OF_RANGE: { status: 400, retriable: false, docs: 'events#times' },
  INSUFFICIENT_BALANCE: { status: 400, retriable: false, docs: 'credits#who-pays-first' },
  INSUFFICIENT_WALLET_FUNDS: { status: 400, retriable: false, docs: 'resources#wallets' },
  DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED: {
    status: 400,
    retriable: false,
    docs: 'resources#redemption',
  },
  DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED: {
    status: 400,
    retriable: false,
    docs: 'resources#redemption',
  },
  UNAUTHORIZED: { status: 401, retriable: false, docs: 'requests#keys-and-modes' },
  FORBIDDEN: {
    status: 403,
    retriable: false,
    wire: 'UNAUTHORIZED',
    docs: 'requests#keys-and-modes',
  },
  NO_EXPIRY_ON_SUBSCRIPTION_LICENSE_KEYS: {
    status: 400,
    retriable: false,
    docs: 'licenses#license-keys',
  },
  INACTIVE_LICENSE_KEY: { status: 403, retriable: false, docs: 'licenses#activation' },
  LICENSE_KEY_OF_ANOTHER_INSTANCE: {
    status: 403,
    retriable: false,
    wire: 'LICENSE_KEY_NOT_FOUND',
    docs: 'licenses#activation',
  },
  LICENSE_KEY_NOT_FOUND: { status: 404, retriable: false, docs: 'licenses#activation' },
  LICENSE_KEY_LIMIT_REACHED: { status: 422, retriable: false, docs: 'licenses#activation' },
  ACTIVATION_LIMIT_LESS_THAN_CURRENT_AMOUNT: {
    status: 422,
    retriable: false,
    docs: 'licenses#license-keys',
  },
  UNABLE_TO_EDIT_PRIMARY_BRAND: { status: 403, retriable: false, docs: 'resources#brands' },
  NOT_FOUND: { status: 404, retriable: false, docs: 'requests#not-found' },
  SCHEDULED_PLAN_CHANGE_NOT_FOUND: {
    status: 404,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  METHOD_NOT_ALLOWED: { status: 405, retriable: false, docs: 'requests#not-found' },
  REQUEST_TIMEOUT: { status: 408, retriable: true, docs: 'requests#bodies' },
  BRAND_NOT_ENABLED: { status: 409, retriable: false, docs: 'resources#brands' },
  SLUG_ALREADY_TAKEN: { status: 409, retriable: false, docs: 'resources#short-links' },
  LOCALIZED_PRICE_ALREADY_EXISTS: {
    status: 409,
    retriable: false,
    docs: 'resources#localized-prices',
  },
  CONFLICT: { status: 409, retriable: false, docs: 'requests#conflicts' },
  EVENT_NOT_MEASURED: { status: 409, retriable: true, docs: 'events#voids' },
  EVENT_ALREADY_VOIDED: { status: 409, retriable: false, docs: 'events#voids' },
  EVENT_VOID_TOO_LATE: { status: 409, retriable: false, docs: 'events#voids' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, retriable: false, docs: 'resources#adjustments' },
  PENDING_PLAN_CHANGE_EXISTS: {
    status: 409,
    retriable: false,
    docs: 'subscriptions#paying-for-a-change',
  },
  SCHEDULED_PLAN_CHANGE_EXISTS: {
    status: 409,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  DISCOUNT_CODE_ALREADY_EXISTS: { status: 409, retriable: false, docs: 'resources#discounts' },
  CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS: {
    status: 409,
    retriable: false,
    docs: 'resources#credit-entitlements',
  },
  CREDIT_ENTITLEMENT_IS_DELETED: {
    status: 410,
    retriable: false,
    docs: 'credits#deleted-entitlements',
  },
  SETUP_LINK_IS_GONE: { status: 410, retriable: false, docs: 'security#the-console' },
  METER_IS_DELETED: { status: 410, retriable: false, docs: 'meters#archiving' },
  PRODUCT_COLLECTION_IS_DELETED: {
    status: 410,
    retriable: false,
    docs: 'resources#product-collections',
  },
  PRODUCT_IS_DELETED: { status: 410, retriable: false, docs: 'resources#products' },
  LAST_EVENT_ID_IS_GONE: { status: 410, retriable: false, docs: 'webhooks#stream' },
  REQUEST_TOO_LARGE: { status: 413, retriable: false, docs: 'requests#bodies' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retriable: false, docs: 'requests#bodies' },
  INVALID_REQUEST_BODY: { status: 422, retriable: false, docs: 'requests#refusals' },
  INVALID_QUERY_PARAMS: { status: 422, retriable: false, docs: 'requests#lists' },
  MAXIMUM_KEYS_REACHED: { status: 422, retriable: false, docs: 'requests#metadata' },
  MAXIMUM_WEBHOOKS_REACHED: { status: 422, retriable: false, docs: 'resources#webhook-endpoints' },
  BRAND_MISMATCH: { status: 422, retriable: false, docs: 'resources#product-collections' },
  PRODUCT_COLLECTION_MUST_HAVE_PRODUCTS: {
    status: 422,
    retriable: false,
    docs: 'resources#product-collections',
  },
  DUPLICATE_ADDON_IDS_IN_REQUEST: { status: 422, retriable: false, docs: 'resources#add-ons' },
  MISSING_ADDON_IDS: { status: 422, retriable: false, docs: 'resources#add-ons' },
  LOCALIZED_PRICE_DUPLICATES_BASE: {
    status: 422,
    retriable: false,
    docs: 'resources#localized-prices',
  },
  LOCALIZED_PRICE_SHAPE_MISMATCH: {
    status: 422,
    retriable: false,
    docs: 'resources#localized-prices',
  },
  PRODUCT_PRICING_MODE_REQUIRED: {
    status: 422,
    retriable: false,
    docs: 'resources#localized-prices',
  },
  DUPLICATE_METER_IDS_IN_REQUEST: { status: 422, retriable: false, docs: 'resources#prices' },
  MISSING_METER_IDS: { status: 422, retriable: false, docs: 'resources#prices' },
  INVALID_SUGGESTED_PRICE: { status: 422, retriable: false, docs: 'resources#prices' },
  INVALID_DISCOUNT_CODE: { status: 422, retriable: false, docs: 'resources#redemption' },
  INVALID_PERCENTAGE: { status: 422, retriable: false, docs: 'resources#discounts' },
  DISCOUNT_CODE_EXPIRED: { status: 422, retriable: false, docs: 'resources#redemption' },
  DISCOUNT_CURRENCY_OPTION_INVALID: { status: 422, retriable: false, docs: 'resources#discounts' },
  DISCOUNT_CUSTOMER_NOT_ELIGIBLE: { status: 422, retriable: false, docs: 'resources#redemption' },
  DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET: {
    status: 422,
    retriable: false,
    docs: 'resources#redemption',
  },
  DISCOUNT_NOT_AVAILABLE_FOR_ON_DEMAND: {
    status: 422,
    retriable: false,
    docs: 'resources#redemption',
  },
  DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT: {
    status: 422,
    retriable: false,
    docs: 'resources#redemption',
  },
  DISCOUNT_NOT_YET_ACTIVE: { status: 422, retriable: false, docs: 'resources#redemption' },
  EXCHANGE_RATE_NOT_FOUND: { status: 422, retriable: false, docs: 'resources#redemption' },
  INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#plan-changes',
  },
  SUBSCRIPTION_INACTIVE: { status: 422, retriable: false, docs: 'subscriptions#endings' },
  SUBSCRIPTION_EXPIRED: { status: 422, retriable: false, docs: 'subscriptions#endings' },
  SUBSCRIPTION_NOT_ON_DEMAND: {
    status: 422,
    retriable: false,
    docs: 'subscriptions#on-demand',
  },
  INVALID_QUANTITY: { status: 422, retriable: false, docs: 'resources#prices' },
  UNSUPPORTED_CURRENCY: { status: 422, retriable: false, docs: 'resources#wallets' },
  ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED: {
    status: 422,
    retriable: false,
    docs: 'resources#products',
  },
  UNSUPPORTED_ACTION: { status: 422, retriable: false, docs: 'requests#refusals' },
  INTEGER_CONVERSION_FAILURE: { status: 422, retriable: false, docs: 'requests#numbers' },
  TOO_MANY_REQUESTS: { status: 429, retriable: true, docs: 'requests#limits' },
  INTERNAL_SERVER_ERROR: { status: 500, retriable: true, docs: 'guarantees#safe-to-repeat' },
  UNAVAILABLE: {
    status: 503,
    retriable: true,
    retryAfterSeconds: 1,
    docs: 'guarantees#safe-to-repeat',
  },
  ...paymentFaults,
} as const satisfies Record<string, FaultRow>

interface FaultRow {
  readonly status: number
  /** Whether the same request can succeed later; the answer says so where it cannot. */
  readonly retriable: boolean
  /** The code in the body, where the contract has one for several faults. */
  readonly wire?: string
  /** The place of the manual that says more than the message; absent: there is no more to say. */
  readonly docs?: string
  /** The `Retry-After` of the answer where the code that refuses names none. */
  readonly retryAfterSeconds?: number
}

export type FaultCode = keyof typeof faults

export const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(faults, code)

export interface FaultOptions extends ErrorOptions {
  /** After how many whole seconds a caller should try again. */
  readonly retryAfterSeconds?: number
  /** The place of the manual, where one fits better than that of the code. */
  readonly docs?: string
  /** What the answer says besides, in headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure that a caller is told about: a code, and a sentence that says what would be right. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly retryAfterSeconds: number | null
  /** Where the manual says more, such as `credits#overage`. [requests#refusals] */
  readonly docs: string | null
  readonly headers: Readonly<Record<string, string>>

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options)
    this.code = code
    const row: FaultRow = faults[code]
    this.retryAfterSeconds = options.retryAfterSeconds ?? row.retryAfterSeconds ?? null
    this.docs = options.docs ?? row.docs ?? null
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return faults[this.code].status
  }

  get retriable(): boolean {
    return faults[this.code].retriable
  }

  /**
   * The code in the body; several faults may share one. [requests#keys-and-modes,
   * requests#refusals]
   */
  get wireCode(): string {
    const fault: FaultRow = faults[this.code]
    return fault.wire ?? this.code
  }
}

/** What a caller asked for is not there, or is somebody else's; callers cannot tell which. */
export const notFound = (what: string, id: string): Fault =>
  new Fault('NOT_FOUND', `There is no ${what} with the id '${id}'.`)

/** The thing itself; null becomes a 404. */
export function orNotFound<T>(thing: T | null, what: string, id: string): T {
  if (thing === null) throw notFound(what, id)
  return thing
}

/** What a rule answers instead of a decision. */
interface Rejected {
  readonly code: FaultCode
  readonly problem: string
}

/** Throws a rule's refusal, if there is one, as the fault that the caller gets. */
export function refuse(rejection: Rejected | null): void {
  if (rejection !== null) throw new Fault(rejection.code, rejection.problem)
}

/** What a rule decided; a refusal is thrown as the fault that the caller gets. */
export function unlessRefused<T extends object>(decided: T): Exclude<T, Rejected> {
  if (isRejected(decided)) throw new Fault(decided.code, decided.problem)
  return decided as Exclude<T, Rejected>
}

const isRejected = (decided: object): decided is Rejected =>
  'code' in decided && 'problem' in decided

/** Why the process cannot start: told to the operator in one sentence, with exit status 2. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
}
