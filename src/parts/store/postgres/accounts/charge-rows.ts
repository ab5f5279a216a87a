import type { Charge } from '../../../../rules/accounts/account.ts'
import type { AccountChange } from '../../../../rules/accounts/change.ts'
import { formatCredits } from '../../../../rules/accounts/credits.ts'
import { timestamptz } from '../connection/client.ts'
import { creditsFrom, instantFrom } from '../connection/values.ts'

/** A charge as load_accounts() answers it. */
export interface ChargeJson {
  readonly route_id: string
  readonly meter_id: string
  readonly cycle_at: string
  readonly charged: string
  readonly base: string
}

export const chargeFrom = (json: ChargeJson, precision: number): Charge => ({
  routeId: json.route_id,
  meterId: json.meter_id,
  cycleAt: instantFrom(json.cycle_at),
  charged: creditsFrom(json.charged, precision),
  base: creditsFrom(json.base, precision),
})

/** The charges that a change has moved, as write_accounts() takes them. */
export function chargeRows({ account, before, accountId }: AccountChange): readonly object[] {
  const known = new Set(before?.charges ?? [])
  return account.charges
    .filter((charge) => !known.has(charge))
    .map((charge) => ({
      account_id: accountId,
      route_id: charge.routeId,
      meter_id: charge.meterId,
      cycle_at: timestamptz(charge.cycleAt),
      charged: formatCredits(charge.charged, account.precision),
      base: formatCredits(charge.base, account.precision),
    }))
}
