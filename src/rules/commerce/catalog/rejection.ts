/** Why a catalogue change is refused: a code of the API, and a sentence. [requests#refusals] */
export interface Rejection {
  readonly code: RejectionCode
  readonly problem: string
}

export type RejectionCode =
  | 'NOT_FOUND'
  | 'CREDIT_ENTITLEMENT_IS_DELETED'
  | 'METER_IS_DELETED'
  | 'INVALID_REQUEST_BODY'
  | 'INVALID_REQUEST_PARAMETERS'
  | 'INVALID_SUGGESTED_PRICE'
  | 'MAXIMUM_KEYS_REACHED'
  | 'DUPLICATE_METER_IDS_IN_REQUEST'
  | 'MISSING_METER_IDS'
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
  check: (item: T, index: number) => Rejection | null,
): Rejection | null {
  return firstOf(items.map((item, index) => () => check(item, index)))
}
