import { processors } from '../../../src/compose/processors.ts'

/** For what no program in memory does. */
export const unused = (): never => {
  throw new Error('No program does this.')
}

/** What no program's plan change names. */
export const unnamed = {
  brands: { get: () => Promise.resolve(null) },
  addons: { get: unused, many: unused, list: unused },
  collections: { get: unused },
  discounts: {
    get: unused,
    withCode: unused,
    list: unused,
    customers: unused,
    attached: unused,
    usesBy: unused,
  },
  localizedPrices: { active: unused },
}

/** Where a shelf in memory has no payments: nobody pays there, so nothing is asked of these. */
export const unpaid = {
  invoices: { get: unused, seller: unused },
  licenseKeys: { broughtBy: () => Promise.resolve([]) },
  wallets: { list: () => Promise.resolve([]) },
  entitlementGrants: { broughtBy: () => Promise.resolve([]) },
  productEntitlements: { many: () => Promise.resolve(new Map<never, never>()) },
  storedFiles: { many: () => Promise.resolve(new Map<never, never>()) },
  charges: { taxes: () => Promise.resolve([]), fees: () => Promise.resolve([]) },
  rapidUpTo: null,
  disputes: { get: unused, find: unused, ofPayment: unused, list: unused },
  payments: { get: unused, find: unused, list: unused, taken: unused },
  paymentMethods: { get: unused, ofCustomer: unused, chargedBy: unused },
  sessions: { get: unused, ofSubscription: unused, find: unused },
  processorNews: { get: unused, wake: unused },
  processors,
}
