import { walletReversed } from '../../../rules/commerce/payments/wallet-part.ts'
import { walletChange } from '../../wallets/wallet-rows.ts'
import type { Bringing } from './bringing.ts'

/** What the wallet has paid of an attempt goes back with its failure. [resources#wallets] */
export const bringWallet: Bringing = async ({ wallets }, scope, { outcome, payment }) => {
  const { customerId, fromWallet } = payment
  const isLost = outcome.status === 'failed' || outcome.status === 'cancelled'
  if (fromWallet === 0 || !isLost) return null
  const held = await wallets.list({ ...scope, customerId })
  return {
    entitlementIds: [],
    decide: ({ at, newId }) => ({
      rows: walletChange(walletReversed(payment, held, { entryId: newId('wle'), at })),
    }),
  }
}
