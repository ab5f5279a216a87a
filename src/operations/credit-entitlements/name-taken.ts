import { Fault } from '../../faults.ts'

/**
 * A deleted entitlement keeps its name, so the caller may not see who has it.
 * [credits#deleted-entitlements]
 */
export const nameTaken = (name: string): Fault =>
  new Fault(
    'CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS',
    `Another credit entitlement, perhaps a deleted one, is called '${name}': choose another name.`,
  )
