import type { ProductCollection } from './collection.ts'

/** The products that a collection shows, in its order. [resources#product-collections] */
export const productIdsOnSale = ({
  groups,
}: Pick<ProductCollection, 'groups'>): readonly string[] =>
  groups
    .filter(({ status }) => status)
    .flatMap(({ items }) => items.filter(({ status }) => status))
    .map(({ productId }) => productId)
