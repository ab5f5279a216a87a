import type { AddonView } from '../addon.ts'
import { currencies, taxCategories } from '../enums.ts'
import { choiceField, named, shape, textField, textOrNull, timeField, wholeField } from './shape.ts'

export const addonAnswer = named(
  'Addon',
  shape<AddonView>({
    id: textField,
    business_id: textField,
    name: textField,
    description: textOrNull,
    image: textOrNull,
    price: wholeField,
    currency: choiceField(currencies),
    tax_category: choiceField(taxCategories),
    created_at: timeField,
    updated_at: timeField,
  }),
)
