import type {
  LicenseKey,
  LicenseKeyInstance,
  LicenseKeySource,
  LicenseKeyStatus,
} from '../../rules/commerce/licenses/license-key.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Instant } from '../../std/instant.ts'
import type { Page, Scope } from './scope.ts'

/** Absent or null: whatever it is. */
export interface LicenseKeyFilter {
  readonly customerId: string | null
  readonly productId: string | null
  /** As of `at`. */
  readonly status: LicenseKeyStatus | null
  readonly source: LicenseKeySource | null
  readonly createdFrom: Instant | null
  readonly createdTo: Instant | null
}

export interface InstanceFilter {
  readonly licenseKeyId: string | null
  readonly grantId: string | null
}

/** A key with whose it is. */
export type OwnedLicenseKey = Scope & { readonly licenseKey: LicenseKey }

export interface LicenseKeys {
  get(scope: Scope, licenseKeyId: string): Promise<LicenseKey | null>

  /** Whosever it is: for programs, which know nothing but the key. */
  find(mode: Mode, key: string): Promise<OwnedLicenseKey | null>

  /** Newest first. */
  list(
    scope: Scope,
    filter: LicenseKeyFilter & { readonly at: Instant },
    page: Page,
  ): Promise<readonly LicenseKey[]>

  /** The keys that payments, subscriptions or grants have brought, oldest first. */
  broughtBy(
    scope: Scope,
    by: {
      readonly paymentIds?: readonly string[]
      readonly subscriptionIds?: readonly string[]
      readonly grantIds?: readonly string[]
    },
  ): Promise<readonly LicenseKey[]>

  instance(scope: Scope, instanceId: string): Promise<LicenseKeyInstance | null>

  /** Whosever it is. */
  findInstance(mode: Mode, instanceId: string): Promise<LicenseKeyInstance | null>

  /** Newest first. */
  instances(
    scope: Scope,
    filter: InstanceFilter,
    page: Page,
  ): Promise<readonly LicenseKeyInstance[]>
}
