import { countryCodes, currencies, pricingModes } from '../enums.ts'
import type { LocalizedPriceView } from '../localized-price.ts'
import {
  choiceField,
  choiceOrNullField,
  named,
  shape,
  textField,
  timeField,
  wholeField,
} from './shape.ts'

export const localizedPriceAnswer = named(
  'LocalizedPrice',
  shape<LocalizedPriceView>({
    id: textField,
    product_id: textField,
    mode: choiceField(pricingModes),
    currency: choiceField(currencies),
    country_code: choiceOrNullField(countryCodes),
    amount: wholeField,
    created_at: timeField,
    updated_at: timeField,
  }),
)
