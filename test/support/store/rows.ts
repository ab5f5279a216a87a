import type { Business } from '../../../src/parts/store/businesses.ts'
import type { NewKey } from '../../../src/parts/store/keys.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { Addon } from '../../../src/rules/commerce/catalog/addon.ts'
import type { Brand } from '../../../src/rules/commerce/catalog/brand.ts'
import type { ProductCollection } from '../../../src/rules/commerce/catalog/collection.ts'
import type { Customer } from '../../../src/rules/commerce/catalog/customer.ts'
import type { Product } from '../../../src/rules/commerce/catalog/product.ts'
import type { Discount } from '../../../src/rules/commerce/discounts/discount.ts'
import type { LicenseKey } from '../../../src/rules/commerce/licenses/license-key.ts'
import type { SavedMethod } from '../../../src/rules/commerce/payments/saved-method.ts'
import { newSavedMethod } from '../../../src/rules/commerce/payments/saved-method.ts'
import type { Payout } from '../../../src/rules/commerce/payouts/payout.ts'
import type { WebhookEndpoint } from '../../../src/rules/facts/webhook-endpoint.ts'
import type { Meter } from '../../../src/rules/meter/meter.ts'
import type { NewId } from '../../../src/std/id.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, day } from '../../../src/std/instant.ts'

// A row of each noun of the catalog, with something in every column.

export const businessRow = (businessId: string, at: Instant): Business => ({
  businessId,
  name: 'Acme',
  rateTier: '1',
  createdAt: at,
})

export const keyRow = (keyId: string, { businessId, mode }: Scope, at: Instant): NewKey => ({
  keyId,
  businessId,
  mode,
  access: 'write',
  name: 'CI',
  hash: Buffer.from(keyId),
  backfillUs: 7,
  createdAt: at,
})

export const customerRow = (customerId: string, at: Instant): Customer => ({
  customerId,
  email: 'ada@example.com',
  name: 'Ada',
  phoneNumber: '+1',
  metadata: { plan: 'pro', size: 'ten' },
  createdAt: at,
  updatedAt: at,
})

export const meterRow = (meterId: string, at: Instant): Meter => ({
  meterId,
  name: 'Tokens',
  eventName: 'completion',
  aggregation: { type: 'sum', key: 'tokens' },
  filter: { conjunction: 'and', clauses: [{ key: 'n', operator: 'equals', value: 0.1 }] },
  measurementUnit: 'token',
  description: 'of text',
  archived: [],
  archivedAt: null,
  createdAt: at,
  updatedAt: at,
})

export const productRow = (productId: string, at: Instant): Product => ({
  productId,
  brandId: 'brn_1',
  name: 'Pro',
  description: null,
  taxCategory: 'saas',
  price: {
    type: 'one_time_price',
    price: 100,
    currency: 'USD',
    discount: 0,
    purchasingPowerParity: false,
    taxInclusive: null,
    payWhatYouWant: false,
    suggestedPrice: null,
  },
  creditEntitlements: [],
  addonIds: ['adn_1'],
  pricingMode: 'by_country',
  collectionId: null,
  entitlementIds: ['ent_1'],
  deliveryEntitlementId: 'ent_1',
  license: {
    enabled: true,
    activationMessage: 'Type it in.',
    activationsLimit: 3,
    duration: { count: 1, interval: 'Year' },
  },
  imageId: null,
  metadata: { tier: 'one' },
  archivedAt: null,
  createdAt: at,
  updatedAt: at,
})

export const discountRowWith = (discountId: string, at: Instant): Discount => ({
  discountId,
  code: discountId.slice(-16).toUpperCase(),
  name: 'Summer',
  type: 'flat',
  amount: 5,
  currencyOptions: [
    { currency: 'USD', isDefault: true, minimumSubtotal: 7, maxAmountPossible: 500 },
    { currency: 'JPY', isDefault: false, minimumSubtotal: 0, maxAmountPossible: 1 },
  ],
  customerEligibility: 'specific',
  restrictedTo: ['pdt_1', 'pdt "2", {3}'],
  usageLimit: 2,
  perCustomerUsageLimit: 1,
  startsAt: at,
  expiresAt: after(at, day),
  subscriptionCycles: 3,
  preserveOnPlanChange: true,
  metadata: { season: 'summer' },
  held: 0,
  timesUsed: 0,
  deletedAt: null,
  createdAt: at,
  updatedAt: at,
})

export const endpointRow = (webhookId: string, scope: Scope, at: Instant): WebhookEndpoint => ({
  businessId: scope.businessId,
  mode: scope.mode,
  webhookId,
  url: 'https://example.com/hooks',
  description: 'ours',
  disabled: false,
  filterTypes: ['credit.added'],
  rateLimit: 5,
  metadata: { team: 'billing' },
  headers: { 'X-One': 'MQ==' },
  secret: Buffer.from('sealed'),
  formerSecrets: [{ secret: Buffer.from('before'), until: at }],
  createdAt: at,
  updatedAt: at,
})

export const addonRow = (addonId: string, at: Instant): Addon => ({
  addonId,
  name: 'Seats',
  description: 'more of them',
  price: 500,
  currency: 'USD',
  taxCategory: 'saas',
  imageId: 'img_1',
  createdAt: at,
  updatedAt: at,
})

export const brandRow = (brandId: string, at: Instant): Brand => ({
  brandId,
  name: 'Labs',
  description: 'of Acme',
  url: 'https://labs.example.com',
  supportEmail: 'help@example.com',
  statementDescriptor: 'ACME',
  imageId: 'img_2',
  archived: null,
  createdAt: at,
  updatedAt: at,
})

export const collectionRow = (collectionId: string, at: Instant): ProductCollection => ({
  collectionId,
  brandId: 'brn_1',
  name: 'Plans',
  description: 'all of them',
  groups: [{ groupId: 'g', name: 'Monthly', status: false, items: [] }],
  planChanges: {
    effectiveAtOnUpgrade: 'immediately',
    effectiveAtOnDowngrade: 'next_billing_date',
    prorationOnUpgrade: 'prorated_immediately',
    prorationOnDowngrade: 'do_not_bill',
    onPaymentFailure: 'apply_change',
  },
  imageId: null,
  archivedAt: null,
  createdAt: at,
  updatedAt: at,
})

export const savedMethodRow = (newId: NewId, at: Instant): SavedMethod => {
  const card = {
    network: 'VISA',
    lastFour: '4242',
    expiryMonth: '12',
    expiryYear: '2039',
    holder: null,
    type: 'credit',
    issuingCountry: 'US',
  } as const
  return newSavedMethod(newId, { customerId: 'cus_1', token: 'sandbox:pays', card }, at)
}

export const entitlementRowWith = (entitlementId: string, at: Instant) => ({
  entitlementId,
  name: 'The book',
  description: 'as a file',
  config: {
    type: 'digital_files' as const,
    fileIds: ['f1', 'f2'],
    externalUrl: 'https://example.com/',
    instructions: 'Open it.',
  },
  metadata: { shelf: 'one' },
  deletedAt: null,
  createdAt: at,
  updatedAt: at,
})

export const licenseKeyRow = (newId: NewId, at: Instant): LicenseKey => {
  const licenseKeyId = newId('lic')
  return {
    licenseKeyId,
    key: `KEY-${licenseKeyId}`,
    customerId: newId('cus'),
    productId: newId('pdt'),
    brandId: newId('bus'),
    paymentId: null,
    subscriptionId: null,
    subscriptionState: null,
    grantId: null,
    source: 'auto',
    activationsLimit: 3,
    instancesCount: 0,
    expiresAt: null,
    disabled: false,
    createdAt: at,
    updatedAt: at,
  }
}

export const payoutRow = (newId: NewId, at: Instant): Payout => ({
  payoutId: newId('pyt'),
  status: 'not_initiated',
  name: 'Acme',
  currency: 'EUR',
  amount: 95,
  fee: 5,
  refunds: 3,
  chargebacks: 2,
  fromEntry: 1,
  toEntry: 4,
  remarks: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
})
