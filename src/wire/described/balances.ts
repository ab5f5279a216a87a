import { limits } from '../../limits.ts'
import { balanceEventTypes } from '../../rules/commerce/balances/balance-entry.ts'
import { balanceEntryAnswer } from '../answers/balances.ts'
import { moneyExplanationAnswer } from '../answers/money-explanations.ts'
import { currencies } from '../enums.ts'
import { oneOf, whole } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

export const ledgerDescribed: DescribedRoutes = {
  'GET /balances/ledger': {
    id: 'listBalanceLedger',
    summary: "List the entries of the business's money",
    query: {
      currency: oneOf(currencies),
      event_type: oneOf(balanceEventTypes),
      reference_object_id: textQuery,
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
      limit: whole(1, limits.pageSizeMax),
    },
    paged: true,
    answers: { items: balanceEntryAnswer },
  },
  'GET /explanations/:id': {
    id: 'explainMoney',
    summary: "Explain a payment, refund, dispute, payout, paper or entry of the business's money",
    answers: moneyExplanationAnswer,
    ours: true,
  },
}
