import { changedLicenseKey } from '../../../rules/commerce/licenses/license-key.ts'
import type { RefundNeeds } from '../refund-needs.ts'
import type { TakingBack } from './taking-back.ts'

/** The license keys that the payment has brought are disabled, once all of it went back. */
export const takeBackLicenseKeys: TakingBack<RefundNeeds> = async (
  { licenseKeys },
  scope,
  { paymentId },
) => {
  const by = { paymentIds: [paymentId], subscriptionIds: [] }
  const keys = (await licenseKeys.broughtBy(scope, by)).filter(({ disabled }) => !disabled)
  if (keys.length === 0) return null
  return {
    entitlementIds: [],
    decide: ({ at, payment }) =>
      payment.refundStatus === 'full'
        ? {
            rows: keys.map((was) => {
              const row = changedLicenseKey(was, { disabled: true }, at)
              return { noun: 'license_key', expected: was.updatedAt, row } as const
            }),
          }
        : {},
  }
}
