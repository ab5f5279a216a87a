import { creditTransactionTypes } from '../../rules/facts/ledger-facts.ts'
import {
  adjustmentAnswer,
  balanceAnswer,
  grantAnswer,
  ledgerEntryAnswer,
} from '../answers/credits.ts'
import { clockAnswer, ledgerExplanationAnswer } from '../answers/events.ts'
import { clockAdvance } from '../clock.ts'
import { ledgerAdjustment } from '../ledger-adjustment.ts'
import { oneOf } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

export const balancesDescribed: DescribedRoutes = {
  'GET /credit-entitlements/:id/balances': {
    id: 'listBalances',
    summary: 'List balances under a credit entitlement',
    query: { customer_id: textQuery },
    paged: true,
    waits: true,
    answers: { items: balanceAnswer },
  },
  'GET /credit-entitlements/:id/balances/:customer_id': {
    id: 'getBalance',
    summary: "Read a customer's balance",
    waits: true,
    answers: balanceAnswer,
  },
  'GET /credit-entitlements/:id/balances/:customer_id/grants': {
    id: 'listGrants',
    summary: 'List the grants of a balance',
    query: { status: oneOf(['active', 'expired', 'depleted']) },
    paged: true,
    waits: true,
    answers: { items: grantAnswer },
  },
  'GET /credit-entitlements/:id/balances/:customer_id/ledger': {
    id: 'listLedger',
    summary: 'List the ledger of a balance',
    query: {
      transaction_type: oneOf(creditTransactionTypes),
      start_date: timeQuery,
      end_date: timeQuery,
    },
    paged: true,
    waits: true,
    answers: { items: ledgerEntryAnswer },
  },
  'POST /credit-entitlements/:id/balances/:customer_id/ledger-entries': {
    id: 'adjustBalance',
    summary: 'Credit or debit a balance',
    waits: true,
    body: {
      schema: ledgerAdjustment,
      example: { amount: '10', entry_type: 'credit', reason: 'Goodwill' },
    },
    answers: adjustmentAnswer,
    status: 201,
    refusals: [
      'INSUFFICIENT_BALANCE',
      'INVALID_REQUEST_PARAMETERS',
      'IDEMPOTENCY_KEY_REUSED',
      'CREDIT_ENTITLEMENT_IS_DELETED',
      'MAXIMUM_KEYS_REACHED',
      'INTEGER_CONVERSION_FAILURE',
    ],
  },
  'GET /credit-ledger-entries/:id/explanation': {
    id: 'explainLedgerEntry',
    summary: 'Explain a ledger entry or a grant',
    waits: true,
    answers: ledgerExplanationAnswer,
    ours: true,
  },
  'POST /clock/advance': {
    id: 'advanceClock',
    summary: "Move the business's test clock forward",
    body: { schema: clockAdvance, example: { by: 'PT1H' } },
    answers: clockAnswer,
    refusals: ['UNSUPPORTED_ACTION', 'NOT_FOUND', 'CONFLICT', 'INVALID_REQUEST_PARAMETERS'],
    ours: true,
  },
}
