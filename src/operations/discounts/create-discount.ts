import assert from 'node:assert/strict'
import { refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Discounts } from '../../parts/store/discounts.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Discount, WantedDiscount } from '../../rules/commerce/discounts/discount.ts'
import { discountRejection } from '../../rules/commerce/discounts/discount-rules.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { codeTaken, refuseTakenCode, refuseUnknownProducts } from './discount-refusals.ts'

export interface CreateDiscount {
  readonly changes: Pick<Changes, 'commit'>
  readonly discounts: Pick<Discounts, 'withCode'>
  readonly products: Pick<Products, 'many'>
  readonly newId: NewId
  /** Makes up a code that nobody guesses. */
  readonly newCode: () => string
}

/**
 * Refuses 404 a product that it is restricted to and that does not exist, 409 a code in use, 422 by
 * [resources#discounts].
 */
export async function createDiscount(
  needs: CreateDiscount,
  scope: Scope,
  { wanted, at }: { readonly wanted: WantedDiscount; readonly at: Instant },
): Promise<Discount> {
  const discount: Discount = {
    ...wanted,
    code: wanted.code ?? needs.newCode(),
    discountId: needs.newId('dsc'),
    held: 0,
    timesUsed: 0,
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  await refuseUnknownProducts(needs.products, scope, discount.restrictedTo)
  await refuseTakenCode(needs.discounts, scope, discount)
  refuse(discountRejection(discount))
  refuse(metadataRejection(discount.metadata))

  const made = { noun: 'discount', expected: null, row: discount } as const
  const outcome = await needs.changes.commit(rowAlone(scope, made))
  if (outcome === 'taken') throw codeTaken(discount.code)
  assert(outcome === 'committed', 'A new discount has moved.')
  return discount
}
