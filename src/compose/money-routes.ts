import { balanceLedgerRoutes } from '../edge/api/balance-ledger.ts'
import { disputeRoutes } from '../edge/api/disputes.ts'
import { payoutRoutes } from '../edge/api/payouts.ts'
import { refundRoutes } from '../edge/api/refunds.ts'
import type { Route } from '../edge/http/route.ts'

type Needs = Parameters<typeof balanceLedgerRoutes>[0] &
  Parameters<typeof disputeRoutes>[0] &
  Parameters<typeof payoutRoutes>[0] &
  Parameters<typeof refundRoutes>[0]

/** The routes of money that goes back, and of what is left of it for the business. */
export const moneyRoutes = (needs: Needs): readonly Route[] => [
  ...refundRoutes(needs),
  ...disputeRoutes(needs),
  ...balanceLedgerRoutes(needs),
  ...payoutRoutes(needs),
]
