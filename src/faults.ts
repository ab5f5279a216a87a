/**
 * Every error that leaves the process: its code, its HTTP status, and whether the same request can
 * succeed later. [requests#refusals]
 */
const faults = {
  INVALID_JSON: { status: 400, retriable: false, wire: 'INVALID_REQUEST_BODY' },
  INVALID_REQUEST_PARAMETERS: { status: 400, retriable: false },
  DUPLICATE_EVENT_IDS: { status: 400, retriable: false },
  EVENT_TIMESTAMP_OUT_OF_RANGE: { status: 400, retriable: false },
  INSUFFICIENT_BALANCE: { status: 400, retriable: false },
  UNAUTHORIZED: { status: 401, retriable: false },
  FORBIDDEN: { status: 403, retriable: false, wire: 'UNAUTHORIZED' },
  NOT_FOUND: { status: 404, retriable: false },
  SCHEDULED_PLAN_CHANGE_NOT_FOUND: { status: 404, retriable: false },
  METHOD_NOT_ALLOWED: { status: 405, retriable: false },
  REQUEST_TIMEOUT: { status: 408, retriable: true },
  CONFLICT: { status: 409, retriable: false },
  EVENT_NOT_MEASURED: { status: 409, retriable: true },
  EVENT_ALREADY_VOIDED: { status: 409, retriable: false },
  EVENT_VOID_TOO_LATE: { status: 409, retriable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 409, retriable: false },
  SCHEDULED_PLAN_CHANGE_EXISTS: { status: 409, retriable: false },
  CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS: { status: 409, retriable: false },
  CREDIT_ENTITLEMENT_IS_DELETED: { status: 410, retriable: false },
  METER_IS_DELETED: { status: 410, retriable: false },
  PRODUCT_IS_DELETED: { status: 410, retriable: false },
  REQUEST_TOO_LARGE: { status: 413, retriable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retriable: false },
  INVALID_REQUEST_BODY: { status: 422, retriable: false },
  INVALID_QUERY_PARAMS: { status: 422, retriable: false },
  MAXIMUM_KEYS_REACHED: { status: 422, retriable: false },
  MAXIMUM_WEBHOOKS_REACHED: { status: 422, retriable: false },
  DUPLICATE_METER_IDS_IN_REQUEST: { status: 422, retriable: false },
  MISSING_METER_IDS: { status: 422, retriable: false },
  INVALID_SUGGESTED_PRICE: { status: 422, retriable: false },
  INVALID_DISCOUNT_CODE: { status: 422, retriable: false },
  INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED: { status: 422, retriable: false },
  INVALID_PRORATION_MODE_WITH_NEXT_BILLING_DATE: { status: 422, retriable: false },
  PLAN_CHANGE_NOT_ALLOWED_FOR_SCHEDULED_CANCELLATION: { status: 422, retriable: false },
  SUBSCRIPTION_INACTIVE: { status: 422, retriable: false },
  SUBSCRIPTION_NOT_ON_DEMAND: { status: 422, retriable: false },
  INVALID_QUANTITY: { status: 422, retriable: false },
  ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED: { status: 422, retriable: false },
  UNSUPPORTED_ACTION: { status: 422, retriable: false },
  INTEGER_CONVERSION_FAILURE: { status: 422, retriable: false },
  TOO_MANY_REQUESTS: { status: 429, retriable: true },
  INTERNAL_SERVER_ERROR: { status: 500, retriable: true },
  UNAVAILABLE: { status: 503, retriable: true, retryAfterSeconds: 1 },
} as const satisfies Record<string, FaultRow>

interface FaultRow {
  readonly status: number
  /** Whether the same request can succeed later; the answer says so where it cannot. */
  readonly retriable: boolean
  /** The code in the body, where the contract has one for several faults. */
  readonly wire?: string
  /** The `Retry-After` of the answer where the code that refuses names none. */
  readonly retryAfterSeconds?: number
}

export type FaultCode = keyof typeof faults

export const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(faults, code)

/** After how many whole seconds a caller should try again. */
export interface FaultOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number
}

/** A failure that a caller is told about: a code, and a sentence that says what would be right. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly retryAfterSeconds: number | null

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options)
    this.code = code
    const row: FaultRow = faults[code]
    this.retryAfterSeconds = options.retryAfterSeconds ?? row.retryAfterSeconds ?? null
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

/**
 * What a caller asked for does not exist, or belongs to somebody else; callers cannot tell which.
 */
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
