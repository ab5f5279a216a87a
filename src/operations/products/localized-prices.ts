import { notFound, orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { LocalizedPrices } from '../../parts/store/localized-prices.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { changeTime } from '../../rules/commerce/catalog/change-time.ts'
import type {
  LocalizedPrice,
  WantedLocalizedPrice,
} from '../../rules/commerce/catalog/localized-price.ts'
import {
  archivedPrice,
  localizedPriceRejection,
} from '../../rules/commerce/catalog/localized-price.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import type { Operation, Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'

export interface LocalizedPriceNeeds extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly products: Pick<Products, 'get'>
  readonly localizedPrices: LocalizedPrices
  readonly newId: NewId
}

/** A product, and a price of it. */
export interface PriceTarget {
  readonly productId: string
  readonly id: string
}

/** Those that are not archived. @throws Fault 404 for the product [resources#localized-prices] */
export async function listLocalizedPrices(
  needs: LocalizedPriceNeeds,
  scope: Scope,
  productId: string,
): Promise<readonly LocalizedPrice[]> {
  orNotFound(await needs.products.get(scope, productId), 'product', productId)
  return needs.localizedPrices.active(scope, productId)
}

/** An archived one, too. @throws Fault 404 [resources#localized-prices] */
export async function findLocalizedPrice(
  { localizedPrices }: Pick<LocalizedPriceNeeds, 'localizedPrices'>,
  scope: Scope,
  { productId, id }: PriceTarget,
): Promise<LocalizedPrice> {
  const found = await localizedPrices.get(scope, id)
  if (found === null || found.productId !== productId) throw notFound('localized price', id)
  return found
}

/** @throws Fault 404 for the product, 409 and 422 by [resources#localized-prices] */
export function createLocalizedPrice(
  needs: LocalizedPriceNeeds,
  scope: Scope,
  input: {
    readonly productId: string
    readonly wanted: WantedLocalizedPrice
    readonly at: Instant
  },
): Promise<LocalizedPrice> {
  const { productId, wanted, at } = input
  return writePrice(needs, scope, {
    operation: 'create_localized_price',
    productId,
    at,
    decide: async (product) => {
      const active = await needs.localizedPrices.active(scope, productId)
      refuse(localizedPriceRejection(product, wanted, active))
      const row: LocalizedPrice = {
        ...wanted,
        localizedPriceId: needs.newId('lcp'),
        productId,
        mode: product.pricingMode ?? 'by_currency',
        archivedAt: null,
        createdAt: at,
        updatedAt: at,
      }
      return { was: null, row }
    },
  })
}

/**
 * The price as it is afterwards; no amount keeps it as it is.
 *
 * @throws Fault 404, also for an archived one [resources#localized-prices]
 */
export function updateLocalizedPrice(
  needs: LocalizedPriceNeeds,
  scope: Scope,
  input: PriceTarget & { readonly amount: number | null; readonly at: Instant },
): Promise<LocalizedPrice> {
  const { productId, id, amount, at } = input
  return writePrice(needs, scope, {
    operation: 'update_localized_price',
    productId,
    at,
    decide: async () => {
      const was = await findLocalizedPrice(needs, scope, { productId, id })
      if (was.archivedAt !== null) throw notFound('localized price', id)
      const row = { ...was, amount: amount ?? was.amount, updatedAt: changeTime(was, at) }
      return { was, row }
    },
  })
}

/** Archiving one that is archived changes nothing. @throws Fault 404 */
export async function archiveLocalizedPrice(
  needs: LocalizedPriceNeeds,
  scope: Scope,
  input: PriceTarget & { readonly at: Instant },
): Promise<void> {
  const { productId, id, at } = input
  await writePrice(needs, scope, {
    operation: 'archive_localized_price',
    productId,
    at,
    decide: async () => {
      const was = await findLocalizedPrice(needs, scope, { productId, id })
      return { was, row: was.archivedAt === null ? archivedPrice(was, at) : was }
    },
  })
}

interface PriceChange {
  readonly operation: Operation
  readonly productId: string
  readonly at: Instant
  /** Of the product as it is: what becomes of the price. Throws a Fault to refuse. */
  readonly decide: (
    product: Product,
  ) => Promise<{ readonly was: LocalizedPrice | null; readonly row: LocalizedPrice }>
}

/** A price is written with its product, which gets a later time: so none comes unseen. */
function writePrice(
  needs: LocalizedPriceNeeds,
  scope: Scope,
  { operation, productId, at, decide }: PriceChange,
): Promise<LocalizedPrice> {
  return untilWritten(needs, operation, async () => {
    const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
    const { was, row } = await decide(product)
    if (was === row) return row
    const outcome = await needs.changes.commit({
      scope,
      clockAhead: null,
      rows: [
        {
          noun: 'product',
          expected: product.updatedAt,
          row: { ...product, updatedAt: changeTime(product, at) },
        },
        { noun: 'localized_price', expected: was?.updatedAt ?? null, row },
      ],
      accounts: [],
      facts: [],
    })
    return outcome === 'committed' ? row : lost
  })
}
