import { Fault } from '../../faults.ts'
/** Refuses references to kinds of objects that do not exist here, rather than ignoring them. */
export function refuseExtras(extras: {
  readonly addonId: string | null
  readonly discountCode: string | null
}): void {
  const { addonId, discountCode } = extras
  if (addonId !== null) {
    throw new Fault('NOT_FOUND', `There is no add-on with the id '${addonId}'.`)
  }
  if (discountCode !== null) {
    throw new Fault(
      'INVALID_DISCOUNT_CODE',
      `There is no discount with the code '${discountCode}'.`,
    )
  }
}
