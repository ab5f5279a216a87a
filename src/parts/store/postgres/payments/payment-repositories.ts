import { charges } from '../catalog/charges.ts'
import { wallets } from '../catalog/wallets.ts'
import type { Db } from '../connection/client.ts'
import { entitlementGrants } from '../entitlements/entitlement-grants.ts'
import { productEntitlements } from '../entitlements/product-entitlements.ts'
import { storedFiles } from '../files/stored-files.ts'
import { licenseKeys } from '../licenses/license-keys.ts'
import { balances } from './balances.ts'
import { checkoutSessions } from './checkout-sessions.ts'
import { disputes } from './disputes.ts'
import { invoices } from './invoices.ts'
import { paymentMethods } from './payment-methods.ts'
import { payments } from './payments.ts'
import { payouts } from './payouts.ts'
import { processorNews } from './processor-news.ts'
import { refunds } from './refunds.ts'

/** The repositories of everything that ends in a payment. */
export const paymentRepositories = (db: Db) => ({
  invoices: invoices(db),
  balances: balances(db),
  charges: charges(db),
  licenseKeys: licenseKeys(db),
  disputes: disputes(db),
  entitlementGrants: entitlementGrants(db),
  productEntitlements: productEntitlements(db),
  storedFiles: storedFiles(db),
  payments: payments(db),
  paymentMethods: paymentMethods(db),
  payouts: payouts(db),
  sessions: checkoutSessions(db),
  processorNews: processorNews(db),
  refunds: refunds(db),
  wallets: wallets(db),
})
