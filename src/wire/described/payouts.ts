import { breakupAnswer, paidEntryAnswer, payoutAnswer } from '../answers/payouts.ts'
import type { DescribedRoutes } from './described.ts'
import { timeQuery } from './described.ts'

export const payoutsDescribed: DescribedRoutes = {
  'GET /payouts': {
    id: 'listPayouts',
    summary: 'List payouts',
    query: { created_at_gte: timeQuery, created_at_lte: timeQuery },
    paged: true,
    answers: { items: payoutAnswer },
  },
  'GET /payouts/:payout_id/breakup': {
    id: 'getPayoutBreakup',
    summary: 'Read what each kind of entries has in a payout',
    answers: breakupAnswer,
  },
  'GET /payouts/:payout_id/breakup/details': {
    id: 'listPayoutBreakupDetails',
    summary: 'List the entries that a payout pays',
    paged: true,
    answers: { items: paidEntryAnswer },
  },
  'GET /payouts/:payout_id/breakup/details/csv': {
    id: 'getPayoutBreakupDetailsCsv',
    summary: 'Download the entries that a payout pays as a table',
    answers: 'csv',
  },
}
