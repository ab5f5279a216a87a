import { Fault, notFound } from '../../faults.ts'
import type { Discounts } from '../../parts/store/discounts.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Discount } from '../../rules/commerce/discounts/discount.ts'

export const codeTaken = (code: string): Fault =>
  new Fault(
    'DISCOUNT_CODE_ALREADY_EXISTS',
    `Another discount has the code '${code}': choose another code.`,
  )

/** Before the rules, as every conflict is; two at once are told apart when they are written. */
export async function refuseTakenCode(
  discounts: Pick<Discounts, 'withCode'>,
  scope: Scope,
  { code, discountId }: Pick<Discount, 'code' | 'discountId'>,
): Promise<void> {
  const holder = await discounts.withCode(scope, code)
  if (holder !== null && holder.discountId !== discountId) throw codeTaken(code)
}

/** A code that is restricted to a product that nobody has would never do anything. */
export async function refuseUnknownProducts(
  products: Pick<Products, 'many'>,
  scope: Scope,
  productIds: readonly string[],
): Promise<void> {
  const known = await products.many(scope, productIds)
  const unknown = productIds.find((productId) => !known.has(productId))
  if (unknown !== undefined) throw notFound('product', unknown)
}
