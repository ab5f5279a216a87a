import { taxCategories } from '../../rules/commerce/tax-category.ts'
import { currencies } from '../enums.ts'
import type { planChangePreview } from '../plan-change-preview.ts'
import {
  choiceField,
  decimalField,
  flagField,
  listField,
  named,
  numberField,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

type Preview = ReturnType<typeof planChangePreview>
type LineItem = Preview['immediate_charge']['line_items'][number]
type ItemOf<Type extends LineItem['type']> = Extract<LineItem, { readonly type: Type }>

const taxed = { tax: wholeField, tax_inclusive: flagField, tax_rate: numberField }

const lineItem = {
  anyOf: [
    shape<ItemOf<'subscription'>>({
      ...taxed,
      id: textField,
      currency: choiceField(currencies),
      description: textOrNull,
      name: textOrNull,
      product_id: textField,
      proration_factor: numberField,
      quantity: wholeField,
      type: { const: 'subscription' },
      unit_price: wholeField,
    }),
    shape<ItemOf<'addon'>>({
      ...taxed,
      id: textField,
      currency: choiceField(currencies),
      description: textOrNull,
      name: textField,
      proration_factor: numberField,
      quantity: wholeField,
      tax_category: choiceField(taxCategories),
      type: { const: 'addon' },
      unit_price: wholeField,
    }),
    shape<ItemOf<'meter'>>({
      ...taxed,
      id: textField,
      chargeable_units: decimalField,
      currency: choiceField(currencies),
      description: textOrNull,
      free_threshold: wholeField,
      name: textField,
      price_per_unit: decimalField,
      subtotal: wholeField,
      type: { const: 'meter' },
      units_consumed: decimalField,
    }),
  ],
}

export const planPreviewAnswer = named(
  'PlanChangePreview',
  shape<Preview>({
    immediate_charge: shape<Preview['immediate_charge']>({
      effective_at: timeField,
      line_items: listField(lineItem),
      summary: shape<Preview['immediate_charge']['summary']>({
        currency: choiceField(currencies),
        customer_credits: wholeField,
        settlement_amount: wholeField,
        settlement_currency: choiceField(currencies),
        settlement_tax: wholeField,
        tax: wholeField,
        total_amount: wholeField,
      }),
    }),
    new_plan: { $ref: '#/components/schemas/Subscription' },
  }),
)
