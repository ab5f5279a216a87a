import { walletAnswer, walletEntryAnswer, walletListAnswer } from '../answers/wallets.ts'
import { currencies } from '../enums.ts'
import { oneOf } from '../schemas.ts'
import { walletEntryCreate } from '../wallet.ts'
import type { DescribedRoutes } from './described.ts'

export const walletsDescribed: DescribedRoutes = {
  'GET /customers/:customer_id/wallets': {
    id: 'listCustomerWallets',
    summary: "List a customer's wallets",
    answers: walletListAnswer,
  },
  'GET /customers/:customer_id/wallets/ledger-entries': {
    id: 'listCustomerWalletEntries',
    summary: "List the entries of a customer's wallets",
    query: { currency: oneOf(currencies) },
    paged: true,
    answers: { items: walletEntryAnswer },
  },
  'POST /customers/:customer_id/wallets/ledger-entries': {
    id: 'createCustomerWalletEntry',
    summary: 'Put money into a wallet, or take it out',
    body: {
      schema: walletEntryCreate,
      example: {
        amount: 1_000,
        currency: 'USD',
        entry_type: 'credit',
        reason: 'for the trouble',
        idempotency_key: 'trouble-17',
      },
    },
    answers: walletAnswer,
    refusals: [
      'INSUFFICIENT_WALLET_FUNDS',
      'IDEMPOTENCY_KEY_REUSED',
      'INTEGER_CONVERSION_FAILURE',
      'UNSUPPORTED_CURRENCY',
    ],
  },
}
