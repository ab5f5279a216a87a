import { Fault, notFound, orNotFound, refuse } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { LicenseKeys, OwnedLicenseKey } from '../../parts/store/license-keys.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { LicenseKeyInstance } from '../../rules/commerce/licenses/license-key.ts'
import {
  activationRejection,
  counted,
  licenseKeyStatus,
} from '../../rules/commerce/licenses/license-key.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface UseLicenseKeyNeeds extends Tries {
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly changes: Pick<Changes, 'commit'>
  readonly clock: Clock
  readonly customers: Pick<Customers, 'get'>
  readonly licenseKeys: LicenseKeys
  readonly products: Pick<Products, 'get'>
  readonly newId: NewId
}

export interface Activated {
  readonly businessId: string
  readonly instance: LicenseKeyInstance
  readonly customer: Customer
  readonly product: Product
}

/**
 * Takes a place for a key. Of several at once for the last place one gets it.
 *
 * @throws Fault 404 an unknown key, 403 one that is not active, 422 one that is in use as often as
 * it may be [licenses#activation]
 */
export function activateLicense(
  needs: UseLicenseKeyNeeds,
  mode: Mode,
  { key, name }: { readonly key: string; readonly name: string },
): Promise<Activated> {
  return untilWritten(needs, 'activate_license', async () => {
    const { licenseKey, ...scope } = knownKey(await needs.licenseKeys.find(mode, key))
    const at = await timeOf(needs, scope)
    refuse(activationRejection(licenseKey, at))
    const { customerId, licenseKeyId, productId } = licenseKey
    const customer = await needs.customers.get(scope, customerId)
    const product = await needs.products.get(scope, productId)
    const instance = { instanceId: needs.newId('lki'), licenseKeyId, name, createdAt: at }
    const row = counted(licenseKey, 1, at)
    const outcome = await needs.changes.commit({
      ...rowAlone(scope, { noun: 'license_key', expected: licenseKey.updatedAt, row }),
      rows: [
        { noun: 'license_key', expected: licenseKey.updatedAt, row },
        { noun: 'license_key_instance', expected: null, row: instance, ends: false },
      ],
    })
    if (outcome !== 'committed') return lost
    return {
      businessId: scope.businessId,
      instance,
      customer: orNotFound(customer, 'customer', customerId),
      product: orNotFound(product, 'product', productId),
    }
  })
}

/**
 * Gives a place of a key back, whether or not the key is active.
 *
 * @throws Fault 404 an unknown key or instance, 403 an instance of another key
 * [licenses#activation]
 */
export async function deactivateLicense(
  needs: UseLicenseKeyNeeds,
  mode: Mode,
  { key, instanceId }: { readonly key: string; readonly instanceId: string },
): Promise<void> {
  await untilWritten<undefined>(needs, 'deactivate_license', async () => {
    const { licenseKey, ...scope } = knownKey(await needs.licenseKeys.find(mode, key))
    const instance = await needs.licenseKeys.findInstance(mode, instanceId)
    if (instance === null) throw notFound('license key instance', instanceId)
    if (instance.licenseKeyId !== licenseKey.licenseKeyId) {
      throw new Fault('LICENSE_KEY_OF_ANOTHER_INSTANCE', 'The instance is of another license key.')
    }
    const row = counted(licenseKey, -1, await timeOf(needs, scope))
    const outcome = await needs.changes.commit({
      ...rowAlone(scope, { noun: 'license_key', expected: licenseKey.updatedAt, row }),
      rows: [
        { noun: 'license_key', expected: licenseKey.updatedAt, row },
        { noun: 'license_key_instance', expected: instance, row: instance, ends: true },
      ],
    })
    return outcome === 'committed' ? undefined : lost
  })
}

/**
 * Whether the key may be used now, and the instance, where one is named, is of it. An unknown key
 * costs the same as one that is known. [licenses#activation]
 */
export async function validateLicense(
  needs: UseLicenseKeyNeeds,
  mode: Mode,
  { key, instanceId }: { readonly key: string; readonly instanceId: string | null },
): Promise<boolean> {
  const found = await needs.licenseKeys.find(mode, key)
  const at = await timeOf(needs, { businessId: found?.businessId ?? '', mode })
  const instance =
    instanceId === null ? null : await needs.licenseKeys.findInstance(mode, instanceId)
  if (found === null || licenseKeyStatus(found.licenseKey, at) !== 'active') return false
  return instanceId === null || instance?.licenseKeyId === found.licenseKey.licenseKeyId
}

function knownKey(found: OwnedLicenseKey | null): OwnedLicenseKey {
  if (found !== null) return found
  throw new Fault('LICENSE_KEY_NOT_FOUND', 'There is no such license key.')
}

const timeOf = async (
  { businesses, clock }: UseLicenseKeyNeeds,
  scope: { readonly businessId: string; readonly mode: Mode },
): Promise<Instant> => after(clock.now(), await businesses.clockAhead(scope))
