/** Why a catalogue change is refused: a code of the API, and a sentence. [requests#refusals] */
export interface Rejection {
  readonly code: RejectionCode
  readonly problem: string
}

export type RejectionCode =
  | 'ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED'
  | 'BRAND_MISMATCH'
  | 'BRAND_NOT_ENABLED'
  | 'CONFLICT'
  | 'CREDIT_ENTITLEMENT_IS_DELETED'
  | 'DUPLICATE_ADDON_IDS_IN_REQUEST'
  | 'DUPLICATE_METER_IDS_IN_REQUEST'
  | 'INVALID_REQUEST_BODY'
  | 'INVALID_REQUEST_PARAMETERS'
  | 'INVALID_SUGGESTED_PRICE'
  | 'LOCALIZED_PRICE_ALREADY_EXISTS'
  | 'LOCALIZED_PRICE_DUPLICATES_BASE'
  | 'LOCALIZED_PRICE_SHAPE_MISMATCH'
  | 'MAXIMUM_KEYS_REACHED'
  | 'METER_IS_DELETED'
  | 'MISSING_ADDON_IDS'
  | 'MISSING_METER_IDS'
  | 'NOT_FOUND'
  | 'PRODUCT_COLLECTION_IS_DELETED'
  | 'PRODUCT_COLLECTION_MUST_HAVE_PRODUCTS'
  | 'PRODUCT_IS_DELETED'
  | 'PRODUCT_PRICING_MODE_REQUIRED'
  | 'UNABLE_TO_EDIT_PRIMARY_BRAND'
  | 'UNSUPPORTED_ACTION'

/** A refusal of a value in the body. */
export const invalid = (problem: string): Rejection => ({ code: 'INVALID_REQUEST_BODY', problem })

/**
 * The first refusal, in the order of the checks. A check may rely on those before it, which run
 * first.
 */
export function firstOf(checks: readonly (() => Rejection | null)[]): Rejection | null {
  for (const check of checks) {
    const rejection = check()
    if (rejection !== null) return rejection
  }
  return null
}

/** Like `firstOf`, with one check for every item. */
export function firstOfEach<T>(
  items: readonly T[],
  check: (item: T, index: number, all: readonly T[]) => Rejection | null,
): Rejection | null {
  return firstOf(items.map((item, index) => () => check(item, index, items)))
}
