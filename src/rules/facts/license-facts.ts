import type { Instant } from '../../std/instant.ts'
import type { LicenseKey } from '../commerce/licenses/license-key.ts'

/** A license key as it was when it was made. [webhooks#kinds] */
export interface LicenseKeyTold {
  readonly customerId: string
  readonly licenseKey: LicenseKey
  readonly at: Instant
}

export const licenseKeyFact = (licenseKey: LicenseKey) =>
  ({
    type: 'license_key.created',
    data: { customerId: licenseKey.customerId, licenseKey, at: licenseKey.createdAt },
  }) as const
