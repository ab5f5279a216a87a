import type {
  EntitlementGrant,
  EntitlementGrantStatus,
} from '../commerce/entitlements/entitlement-grant.ts'
import type {
  EntitlementConfig,
  ProductEntitlement,
} from '../commerce/entitlements/product-entitlement.ts'
import type { LicenseKey } from '../commerce/licenses/license-key.ts'
import type { PayoutStatus } from '../commerce/payouts/payout.ts'
import type { GrantFactType } from './grant-facts.ts'
import { licenseKeyFact } from './license-facts.ts'
import { payoutFact } from './payout-facts.ts'
import type { FactSample, SampleOf } from './sample-own-facts.ts'

const keyOf = ({ at, businessId, newId }: SampleOf, grant: EntitlementGrant): LicenseKey => ({
  licenseKeyId: newId('lic'),
  key: 'SAMPLE-AAAA-BBBB-CCCC',
  customerId: grant.customerId,
  productId: grant.productId,
  brandId: businessId,
  paymentId: grant.paymentId,
  subscriptionId: null,
  subscriptionState: null,
  grantId: grant.grantId,
  source: 'auto',
  activationsLimit: 3,
  instancesCount: 0,
  expiresAt: null,
  disabled: grant.status === 'Revoked',
  createdAt: at,
  updatedAt: at,
})

const licenseTerms: EntitlementConfig = {
  type: 'license_key',
  activationMessage: null,
  activationsLimit: 3,
  duration: null,
  fulfillment: 'auto',
}

/** Only what somebody else delivers can fail. */
const configOf = (status: EntitlementGrantStatus): EntitlementConfig =>
  status === 'Failed' ? { type: 'github', settings: {} } : licenseTerms

function grantOf(
  { at, businessId, newId }: SampleOf,
  status: EntitlementGrantStatus,
): EntitlementGrant {
  const failed = status === 'Failed'
  return {
    grantId: newId('entg'),
    entitlementId: newId('ent'),
    integrationType: configOf(status).type,
    customerId: newId('cus'),
    brandId: businessId,
    productId: newId('pdt'),
    paymentId: newId('pay'),
    subscriptionId: null,
    status,
    revocationReason: status === 'Revoked' ? 'refund' : null,
    errorCode: failed ? 'NOT_A_MEMBER' : null,
    errorMessage: failed ? 'The account could not be invited.' : null,
    oauthUrl: null,
    oauthExpiresAt: null,
    metadata: {},
    deliveredAt: status === 'Delivered' ? at : null,
    revokedAt: status === 'Revoked' ? at : null,
    createdAt: at,
    updatedAt: at,
  }
}

const grantSample =
  (status: EntitlementGrantStatus, type: GrantFactType): FactSample =>
  (of) => {
    const grant = grantOf(of, status)
    const { at } = of
    const entitlement: ProductEntitlement = {
      entitlementId: grant.entitlementId,
      name: 'Sample access',
      description: null,
      config: configOf(status),
      metadata: {},
      deletedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    const hasKey = status === 'Delivered' || status === 'Revoked'
    const licenseKey = hasKey ? keyOf(of, grant) : null
    const { customerId } = grant
    const data = { customerId, grant, entitlement, files: [], licenseKey, at }
    return { type, data }
  }

const payoutSample =
  (status: PayoutStatus): FactSample =>
  ({ at, newId }) =>
    payoutFact({
      payoutId: newId('pyt'),
      status,
      name: 'Sample',
      currency: 'USD',
      amount: 98_500,
      fee: 1_500,
      refunds: 0,
      chargebacks: 0,
      fromEntry: 1,
      toEntry: 12,
      remarks: status === 'on_hold' || status === 'failed' ? 'A sample' : null,
      version: 1,
      createdAt: at,
      updatedAt: at,
    })

/** Samples of what customers are given, and of what the business is paid. [webhooks#tests] */
export const givenSamples = {
  'license_key.created': (of) => licenseKeyFact(keyOf(of, grantOf(of, 'Delivered'))),
  'entitlement_grant.created': grantSample('Pending', 'entitlement_grant.created'),
  'entitlement_grant.delivered': grantSample('Delivered', 'entitlement_grant.delivered'),
  'entitlement_grant.failed': grantSample('Failed', 'entitlement_grant.failed'),
  'entitlement_grant.revoked': grantSample('Revoked', 'entitlement_grant.revoked'),
  'payout.created': payoutSample('not_initiated'),
  'payout.on_hold': payoutSample('on_hold'),
  'payout.in_progress': payoutSample('in_progress'),
  'payout.failed': payoutSample('failed'),
  'payout.success': payoutSample('success'),
} as const satisfies Partial<Record<string, FactSample>>
