import type { RowChange } from '../../parts/store/changes.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { GrantMoves } from '../../rules/commerce/entitlements/granting.ts'
import type { ProductEntitlement } from '../../rules/commerce/entitlements/product-entitlement.ts'
import type { OwnFact } from '../../rules/facts/fact.ts'
import type { GrantObjects } from '../../rules/facts/grant-facts.ts'
import { grantFacts } from '../../rules/facts/grant-facts.ts'

/** What is written of grants that have moved, and told. */
export interface WrittenMoves {
  readonly rows: readonly RowChange[]
  readonly facts: readonly OwnFact[]
}

export const writtenMoves = ({ grants, keys }: GrantMoves, parts: GrantObjects): WrittenMoves => ({
  rows: [
    ...grants.map(
      ({ was, grant: row }) =>
        ({ noun: 'entitlement_grant', expected: was?.updatedAt ?? null, row }) as const,
    ),
    ...keys.map(
      ({ was, key: row }) =>
        ({ noun: 'license_key', expected: was?.updatedAt ?? null, row }) as const,
    ),
  ],
  facts: grantFacts(grants, keys, parts),
})

/** What a product brings: entitlements that nobody has deleted. */
export const broughtBy = (
  { entitlementIds }: Pick<Product, 'entitlementIds'>,
  { entitlements }: Pick<GrantObjects, 'entitlements'>,
): readonly ProductEntitlement[] =>
  entitlementIds.flatMap((id) => {
    const entitlement = entitlements.get(id)
    return entitlement === undefined || entitlement.deletedAt !== null ? [] : [entitlement]
  })
