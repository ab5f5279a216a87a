import { Fault } from '../../faults.ts'

/**
 * The caller may not see which entitlement has the name, because deleted ones keep theirs.
 * [credits#deleted-entitlements]
 */
export const nameTaken = (name: string): Fault =>
  new Fault(
    'CREDIT_ENTITLEMENT_NAME_ALREADY_EXISTS',
    `Another credit entitlement, perhaps a deleted one, is called '${name}': choose another name.`,
  )
