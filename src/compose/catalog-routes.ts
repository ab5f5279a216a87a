import { addonRoutes } from '../edge/api/addons.ts'
import { brandRoutes } from '../edge/api/brands.ts'
import { collectionRoutes } from '../edge/api/collections.ts'
import { creditEntitlementRoutes } from '../edge/api/credit-entitlements.ts'
import { entitlementRoutes } from '../edge/api/entitlements.ts'
import { imageRoutes } from '../edge/api/images.ts'
import { licenseRoutes } from '../edge/api/licenses.ts'
import { localizedPriceRoutes } from '../edge/api/localized-prices.ts'
import { meterRoutes } from '../edge/api/meters.ts'
import { productFileRoutes } from '../edge/api/product-files.ts'
import { productRoutes } from '../edge/api/products.ts'
import { shortLinkRoutes } from '../edge/api/short-links.ts'
import type { Route } from '../edge/http/route.ts'

type Needs = Parameters<typeof addonRoutes>[0] &
  Parameters<typeof brandRoutes>[0] &
  Parameters<typeof collectionRoutes>[0] &
  Parameters<typeof creditEntitlementRoutes>[0] &
  Parameters<typeof entitlementRoutes>[0] &
  Parameters<typeof imageRoutes>[0] &
  Parameters<typeof licenseRoutes>[0] &
  Parameters<typeof localizedPriceRoutes>[0] &
  Parameters<typeof meterRoutes>[0] &
  Parameters<typeof productFileRoutes>[0] &
  Parameters<typeof productRoutes>[0] &
  Parameters<typeof shortLinkRoutes>[0]

/** The routes of what a business sells, and of the keys that it brings. */
export const catalogRoutes = (needs: Needs): readonly Route[] => [
  ...meterRoutes(needs),
  ...creditEntitlementRoutes(needs),
  ...brandRoutes(needs),
  ...addonRoutes(needs),
  ...productRoutes(needs),
  ...productFileRoutes(needs),
  ...entitlementRoutes(needs),
  ...imageRoutes(needs),
  ...licenseRoutes(needs),
  ...shortLinkRoutes(needs),
  ...localizedPriceRoutes(needs),
  ...collectionRoutes(needs),
]
