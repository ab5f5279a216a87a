import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { LicenseKeys } from '../../parts/store/license-keys.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type {
  LicenseKey,
  LicenseKeyChange,
  LicenseKeyInstance,
} from '../../rules/commerce/licenses/license-key.ts'
import {
  changedLicenseKey,
  licenseKeyRejection,
} from '../../rules/commerce/licenses/license-key.ts'
import { licenseKeyFact } from '../../rules/facts/license-facts.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import type { KeyGrantNeeds } from '../entitlements/grant-of-key.ts'
import { withGrant } from '../entitlements/grant-of-key.ts'

export interface ChangeLicenseKeyNeeds extends Tries, KeyGrantNeeds {
  readonly changes: Pick<Changes, 'commit'>
  readonly customers: Pick<Customers, 'get'>
  readonly licenseKeys: LicenseKeys
  readonly products: Pick<Products, 'get'>
  readonly newId: NewId
}

/** A key that the seller made elsewhere. */
export type ImportedKey = Pick<
  LicenseKey,
  'customerId' | 'key' | 'productId' | 'activationsLimit' | 'expiresAt'
>

/**
 * @throws Fault 404 for the customer or the product, 409 for a key that is there already, whosever
 * it is [licenses#license-keys]
 */
export async function importLicenseKey(
  { changes, customers, newId, products }: ChangeLicenseKeyNeeds,
  scope: Scope,
  { imported, at }: { readonly imported: ImportedKey; readonly at: Instant },
): Promise<LicenseKey> {
  const { customerId, productId } = imported
  orNotFound(await customers.get(scope, customerId), 'customer', customerId)
  const product = orNotFound(await products.get(scope, productId), 'product', productId)
  const row: LicenseKey = {
    ...imported,
    licenseKeyId: newId('lic'),
    brandId: product.brandId,
    paymentId: null,
    subscriptionId: null,
    subscriptionState: null,
    grantId: null,
    source: 'import',
    instancesCount: 0,
    disabled: false,
    createdAt: at,
    updatedAt: at,
  }
  const outcome = await changes.commit({
    ...rowAlone(scope, { noun: 'license_key', expected: null, row }),
    facts: [{ ...licenseKeyFact(row), messageId: newId('msg'), at }],
  })
  if (outcome === 'committed') return row
  throw new Fault('CONFLICT', 'This license key is there already: import another.')
}

/** The key as it is afterwards. @throws Fault 400, 404, 422 [licenses#license-keys] */
export function updateLicenseKey(
  needs: ChangeLicenseKeyNeeds,
  scope: Scope,
  input: {
    readonly licenseKeyId: string
    readonly change: LicenseKeyChange
    readonly at: Instant
  },
): Promise<LicenseKey> {
  const { licenseKeyId, change, at } = input
  return untilWritten(needs, 'update_license_key', async () => {
    const found = await needs.licenseKeys.get(scope, licenseKeyId)
    const was = orNotFound(found, 'license key', licenseKeyId)
    refuse(licenseKeyRejection(was, change))
    const row = changedLicenseKey(was, change, at)
    const changed = { noun: 'license_key', expected: was.updatedAt, row } as const
    const grant = await withGrant(needs, scope, { was, row })
    const outcome = await needs.changes.commit({
      ...rowAlone(scope, changed),
      rows: [changed, ...grant.rows],
      facts: grant.facts.map((fact) => ({ ...fact, messageId: needs.newId('msg'), at })),
    })
    return outcome === 'committed' ? row : lost
  })
}

/** @throws Fault 404 [licenses#instances] */
export function renameInstance(
  needs: ChangeLicenseKeyNeeds,
  scope: Scope,
  { instanceId, name }: { readonly instanceId: string; readonly name: string },
): Promise<LicenseKeyInstance> {
  return untilWritten(needs, 'update_license_key_instance', async () => {
    const found = await needs.licenseKeys.instance(scope, instanceId)
    const was = orNotFound(found, 'license key instance', instanceId)
    const row = { ...was, name }
    const changed = { noun: 'license_key_instance', expected: was, row, ends: false } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    return outcome === 'committed' ? row : lost
  })
}
