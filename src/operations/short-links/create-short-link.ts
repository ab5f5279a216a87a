import { Fault, orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { archivedRejection } from '../../rules/commerce/catalog/product-change.ts'
import type { ShortLink, WantedShortLink } from '../../rules/commerce/catalog/short-link.ts'
import type { Instant } from '../../std/instant.ts'

export interface CreateShortLink {
  readonly changes: Pick<Changes, 'commit'>
  readonly products: Pick<Products, 'get'>
}

/**
 * @throws Fault 404 for the product, 410 when it is archived, 409 for a slug in use, whosever it is
 * [resources#short-links]
 */
export async function createShortLink(
  { changes, products }: CreateShortLink,
  scope: Scope,
  input: { readonly productId: string; readonly wanted: WantedShortLink; readonly at: Instant },
): Promise<ShortLink> {
  const { productId, wanted, at } = input
  refuse(archivedRejection(orNotFound(await products.get(scope, productId), 'product', productId)))
  const row: ShortLink = { ...wanted, productId, createdAt: at }
  const outcome = await changes.commit(rowAlone(scope, { noun: 'short_link', expected: null, row }))
  if (outcome === 'committed') return row
  throw new Fault('SLUG_ALREADY_TAKEN', `The slug '${wanted.slug}' is taken: choose another.`)
}
