import { Fault, notFound, orNotFound } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { archivedProduct, unarchivedProduct } from '../../rules/commerce/catalog/product-change.ts'
import type { Instant } from '../../std/instant.ts'
import type { Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface ArchiveProduct extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly products: Pick<Products, 'get'>
}

interface ArchiveTarget {
  readonly productId: string
  readonly at: Instant
}

/**
 * Nobody can subscribe to it any more; subscriptions go on.
 *
 * @throws Fault 404 for none, 410 when it is archived already. [resources#products]
 */
export async function archiveProduct(
  needs: ArchiveProduct,
  scope: Scope,
  { productId, at }: ArchiveTarget,
): Promise<void> {
  await untilWritten<undefined>(needs, 'archive_product', async () => {
    const was = orNotFound(await needs.products.get(scope, productId), 'product', productId)
    if (was.archivedAt !== null) {
      const problem = `The product '${productId}' is archived already.`
      throw new Fault('PRODUCT_IS_DELETED', problem)
    }
    const changed = { expected: was.updatedAt, row: archivedProduct(was, at) }
    const outcome = await needs.changes.commit(rowAlone(scope, { noun: 'product', ...changed }))
    return outcome === 'committed' ? undefined : lost
  })
}

/** @throws Fault 404 for none, and for one that is not archived. [resources#products] */
export async function unarchiveProduct(
  needs: ArchiveProduct,
  scope: Scope,
  { productId, at }: ArchiveTarget,
): Promise<void> {
  await untilWritten<undefined>(needs, 'unarchive_product', async () => {
    const was = await needs.products.get(scope, productId)
    if (was === null || was.archivedAt === null) throw notFound('archived product', productId)
    const changed = { expected: was.updatedAt, row: unarchivedProduct(was, at) }
    const outcome = await needs.changes.commit(rowAlone(scope, { noun: 'product', ...changed }))
    return outcome === 'committed' ? undefined : lost
  })
}
