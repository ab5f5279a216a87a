import assert from 'node:assert/strict'

/**
 * A charge of a subscription, and what the business owes its customer; in the currency's smallest
 * unit.
 */
export interface Charged {
  /** What is to be paid. */
  readonly due: number
  /** The part that is paid from what was owed to the customer. */
  readonly used: number
  /** What the charge adds to what is owed to the customer. */
  readonly added: number
  /** What is owed to the customer afterwards. */
  readonly owed: number
}

/**
 * Charges a subscription to whose customer `owed` is owed. A charge below 0 adds to that; a charge
 * above 0 is first paid from it. due = charge − used + added. [resources#plan-change-previews]
 */
export function chargedTo(owed: number, charge: number): Charged {
  assert(owed >= 0)
  const used = Math.min(owed, Math.max(0, charge))
  const added = Math.max(0, -charge)
  return { due: Math.max(0, charge) - used, used, added, owed: owed - used + added }
}
