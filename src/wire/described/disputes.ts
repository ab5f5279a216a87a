import { disputeStages, disputeStatuses } from '../../rules/commerce/disputes/dispute.ts'
import { disputeAnswer, disputeItemAnswer } from '../answers/disputes.ts'
import { oneOf } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

export const disputesDescribed: DescribedRoutes = {
  'GET /disputes': {
    id: 'listDisputes',
    summary: 'List disputes',
    query: {
      customer_id: textQuery,
      dispute_status: oneOf(disputeStatuses),
      dispute_stage: oneOf(disputeStages),
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
    },
    paged: true,
    answers: { items: disputeItemAnswer },
  },
  'GET /disputes/:dispute_id': {
    id: 'getDispute',
    summary: 'Read a dispute',
    answers: disputeAnswer,
  },
}
