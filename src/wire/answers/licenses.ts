import { licenseKeySources, licenseKeyStatuses } from '../../rules/commerce/licenses/license-key.ts'
import type {
  LicenseActivateView,
  LicenseKeyInstanceView,
  LicenseKeyView,
  LicenseValidateView,
} from '../license-key.ts'
import {
  choiceField,
  flagField,
  named,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
  wholeOrNull,
} from './shape.ts'
import { customerShape } from './subscriptions.ts'

export const licenseKeyAnswer = named(
  'LicenseKey',
  shape<LicenseKeyView>({
    id: textField,
    brand_id: textField,
    business_id: textField,
    customer_id: textField,
    product_id: textField,
    payment_id: textOrNull,
    subscription_id: textOrNull,
    key: textField,
    source: choiceField(licenseKeySources),
    status: choiceField(licenseKeyStatuses),
    activations_limit: wholeOrNull,
    instances_count: wholeField,
    expires_at: timeOrNull,
    created_at: timeField,
  }),
)

const instanceFields = {
  id: textField,
  business_id: textField,
  license_key_id: textField,
  name: textField,
  created_at: timeField,
}

export const instanceAnswer = named(
  'LicenseKeyInstance',
  shape<LicenseKeyInstanceView>(instanceFields),
)

export const licenseActivateAnswer = named(
  'LicenseActivation',
  shape<LicenseActivateView>({
    ...instanceFields,
    customer: customerShape,
    product: shape<LicenseActivateView['product']>({ product_id: textField, name: textOrNull }),
  }),
)

export const licenseValidateAnswer = named(
  'LicenseValidation',
  shape<LicenseValidateView>({ valid: flagField }),
)
