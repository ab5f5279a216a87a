import type { LicensedPurchase, LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import { issuedLicenseKey, keyCountOf } from '../../rules/commerce/licenses/license-key.ts'
import { randomLicenseKey } from '../../runtime/license-key.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'

/** A key for each unit of what was bought, as far as keyCountOf() says. [licenses#license-keys] */
export const issuedKeys = (
  newId: NewId,
  purchase: LicensedPurchase,
  { at, quantity }: { readonly at: Instant; readonly quantity: number },
): readonly LicenseKey[] =>
  Array.from({ length: keyCountOf(quantity) }, () =>
    issuedLicenseKey(purchase, { licenseKeyId: newId('lic'), key: randomLicenseKey(), at }),
  )
