import { effectiveTimes, failureReactions } from '../../rules/commerce/catalog/collection.ts'
import { prorationModes } from '../../rules/commerce/proration-mode.ts'
import type {
  CollectionListItem,
  CollectionProductView,
  CollectionUnarchiveView,
  CollectionView,
  GroupView,
} from '../collection-view.ts'
import { currencies, taxCategories } from '../enums.ts'
import {
  choiceField,
  choiceOrNullField,
  flagField,
  flagOrNull,
  listField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

export const collectionProductAnswer = named(
  'ProductCollectionProduct',
  shape<CollectionProductView>({
    id: textField,
    product_id: textField,
    status: flagField,
    name: textField,
    description: textOrNull,
    is_recurring: flagField,
    currency: choiceField(currencies),
    price: wholeField,
    price_detail: { $ref: '#/components/schemas/Price' },
    tax_category: choiceField(taxCategories),
    tax_inclusive: flagOrNull,
    addons_count: wholeField,
    files_count: wholeField,
    meters_count: wholeField,
    has_credit_entitlements: flagField,
    license_key_enabled: flagField,
  }),
)

export const collectionGroupAnswer = named(
  'ProductCollectionGroup',
  shape<GroupView>({
    group_id: textField,
    group_name: textOrNull,
    status: flagField,
    products: listField(collectionProductAnswer.definition),
  }),
)

export const collectionAnswer = named(
  'ProductCollection',
  shape<CollectionView>({
    id: textField,
    brand_id: textField,
    name: textField,
    description: textOrNull,
    image: textOrNull,
    groups: listField(collectionGroupAnswer.definition),
    effective_at_on_upgrade: choiceOrNullField(effectiveTimes),
    effective_at_on_downgrade: choiceOrNullField(effectiveTimes),
    proration_billing_mode_on_upgrade: choiceOrNullField(prorationModes),
    proration_billing_mode_on_downgrade: choiceOrNullField(prorationModes),
    on_payment_failure: choiceOrNullField(failureReactions),
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const collectionItemAnswer = named(
  'ProductCollectionListItem',
  shape<CollectionListItem>({
    id: textField,
    name: textField,
    description: textOrNull,
    image: textOrNull,
    products_count: wholeField,
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const collectionUnarchiveAnswer = named(
  'ProductCollectionUnarchive',
  shape<CollectionUnarchiveView>({
    collection_id: textField,
    excluded_product_ids: listField(textField),
    message: textField,
  }),
)

export const collectionProductsAnswer = named(
  'ProductCollectionProducts',
  listField(collectionProductAnswer.definition),
)
