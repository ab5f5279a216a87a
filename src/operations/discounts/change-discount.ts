import { orNotFound, refuse } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import { rowAlone } from '../../parts/store/changes.ts'
import type { Discounts } from '../../parts/store/discounts.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Discount, DiscountChanges } from '../../rules/commerce/discounts/discount.ts'
import { changedDiscount, deletedDiscount } from '../../rules/commerce/discounts/discount.ts'
import { discountRejection } from '../../rules/commerce/discounts/discount-rules.ts'
import type { Instant } from '../../std/instant.ts'
import type { Operation, Tries } from '../accounts/until-written.ts'
import { lost, untilWritten } from '../accounts/until-written.ts'
import { codeTaken, refuseTakenCode, refuseUnknownProducts } from './discount-refusals.ts'

export interface ChangeDiscount extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly discounts: Pick<Discounts, 'get' | 'withCode'>
  readonly products: Pick<Products, 'many'>
}

/**
 * Judges the state that the change leads to. The discount as it is afterwards. Refuses 404 also for
 * a deleted one, else as creating does. [resources#discounts]
 */
export async function updateDiscount(
  needs: ChangeDiscount,
  scope: Scope,
  input: { readonly id: string; readonly changes: DiscountChanges; readonly at: Instant },
): Promise<Discount> {
  const { id, changes, at } = input
  return rewritten(needs, scope, {
    id,
    operation: 'update_discount',
    decide: async (was) => {
      await refuseUnknownProducts(needs.products, scope, changes.restrictedTo ?? [])
      const row = changedDiscount(was, changes, at)
      if (row.code !== was.code) await refuseTakenCode(needs.discounts, scope, row)
      refuse(discountRejection(row))
      refuse(metadataRejection(row.metadata))
      return row
    },
  })
}

/** 404 for none, and for one that is deleted already. [resources#discounts] */
export async function deleteDiscount(
  needs: ChangeDiscount,
  scope: Scope,
  { id, at }: { readonly id: string; readonly at: Instant },
): Promise<void> {
  const decide = async (was: Discount) => deletedDiscount(was, at)
  await rewritten(needs, scope, { id, operation: 'delete_discount', decide })
}

interface Rewriting {
  readonly id: string
  readonly operation: Operation
  /** Of the discount as it is: what becomes of it. Throws a Fault to refuse. */
  readonly decide: (was: Discount) => Promise<Discount>
}

const rewritten = (
  needs: ChangeDiscount,
  scope: Scope,
  { id, operation, decide }: Rewriting,
): Promise<Discount> =>
  untilWritten<Discount>(needs, operation, async () => {
    const was = orNotFound(await needs.discounts.get(scope, id), 'discount', id)
    const row = await decide(was)
    const changed = { noun: 'discount', expected: was.updatedAt, row } as const
    const outcome = await needs.changes.commit(rowAlone(scope, changed))
    if (outcome === 'taken') throw codeTaken(row.code)
    return outcome === 'committed' ? row : lost
  })
