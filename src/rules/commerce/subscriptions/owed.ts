import assert from 'node:assert/strict'

/** A charge of a subscription, in the currency's smallest unit. */
export interface Charged {
  /** What is to be paid. */
  readonly due: number
  /** What was owed to the customer and pays for it. */
  readonly used: number
  /** What is owed to the customer by it. */
  readonly added: number
  /** What is owed afterwards. */
  readonly owed: number
}

/**
 * A charge of a subscription to whose customer `owed` is owed: below 0 it adds to that, above 0 it
 * is paid from that first. Due = charge − used + added. [resources#plan-change-previews]
 */
export function chargedTo(owed: number, charge: number): Charged {
  assert(owed >= 0)
  const used = Math.min(owed, Math.max(0, charge))
  const added = Math.max(0, -charge)
  return { due: Math.max(0, charge) - used, used, added, owed: owed - used + added }
}
