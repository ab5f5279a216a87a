import type { ProductLicense } from '../../../../rules/commerce/catalog/product-license.ts'
import { noLicense } from '../../../../rules/commerce/catalog/product-license.ts'
import type { Frequency } from '../../../../std/calendar.ts'

/** A product's license as the store keeps it. */
export interface LicenseJson {
  readonly enabled: boolean
  readonly activation_message: string | null
  readonly activations_limit: number | null
  readonly duration: Frequency | null
}

export const licenseFrom = (stored: LicenseJson | null): ProductLicense =>
  stored === null
    ? noLicense
    : {
        enabled: stored.enabled,
        activationMessage: stored.activation_message,
        activationsLimit: stored.activations_limit,
        duration: stored.duration,
      }

export const licenseJson = (license: ProductLicense): LicenseJson => ({
  enabled: license.enabled,
  activation_message: license.activationMessage,
  activations_limit: license.activationsLimit,
  duration: license.duration,
})
