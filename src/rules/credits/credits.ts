import type { Quantity } from '../../std/decimal.ts'

/** Credits of one entitlement, scaled by 10^precision of that entitlement. */
export type Credits = Quantity<'credits'>

export const credits = (scaled: bigint): Credits => scaled as Credits
