import {
  grantStatuses,
  revocationReasons,
} from '../../rules/commerce/entitlements/entitlement-grant.ts'
import { integrationTypes } from '../../rules/commerce/entitlements/product-entitlement.ts'
import { licenseKeyStatuses } from '../../rules/commerce/licenses/license-key.ts'
import type { DeliveredFileView, DeliveryView } from '../download-link.ts'
import type {
  CustomerGrantView,
  EntitlementGrantView,
  LicenseKeyGrantView,
} from '../entitlement-grant.ts'
import type { EntitlementSummary, EntitlementView } from '../product-entitlement.ts'
import type { FileUploadView, ProductFileOfferView } from '../product-file.ts'
import {
  anyObject,
  choiceField,
  choiceOrNullField,
  flagField,
  listField,
  metadataField,
  named,
  orNull,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
  wholeOrNull,
} from './shape.ts'

const deliveredFile = shape<DeliveredFileView>({
  file_id: textField,
  filename: textField,
  content_type: textOrNull,
  file_size: wholeOrNull,
  download_url: textField,
  expires_in: wholeField,
})

export const deliveryShape = shape<DeliveryView>({
  files: listField(deliveredFile),
  external_url: textOrNull,
  instructions: textOrNull,
})

const summary = {
  id: textField,
  name: textField,
  description: textOrNull,
  integration_type: choiceField(integrationTypes),
  integration_config: anyObject,
}

export const entitlementSummaryShape = shape<EntitlementSummary>(summary)

export const entitlementAnswer = named(
  'Entitlement',
  shape<EntitlementView>({
    ...summary,
    business_id: textField,
    is_active: flagField,
    metadata: metadataField,
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const entitlementGrantAnswer = named(
  'EntitlementGrant',
  shape<EntitlementGrantView>({
    id: textField,
    business_id: textField,
    brand_id: textField,
    customer_id: textField,
    entitlement_id: textField,
    integration_type: choiceField(integrationTypes),
    payment_id: textOrNull,
    subscription_id: textOrNull,
    status: choiceField(grantStatuses),
    revocation_reason: choiceOrNullField(revocationReasons),
    error_code: textOrNull,
    error_message: textOrNull,
    oauth_url: textOrNull,
    oauth_expires_at: timeOrNull,
    feature: orNull(
      shape<NonNullable<EntitlementGrantView['feature']>>({
        feature_id: textField,
        feature_type: choiceField(['boolean']),
      }),
    ),
    license_key: orNull(
      shape<LicenseKeyGrantView>({
        id: textField,
        key: textField,
        status: choiceField(licenseKeyStatuses),
        activations_used: wholeField,
        activations_limit: wholeOrNull,
        expires_at: timeOrNull,
      }),
    ),
    digital_product_delivery: orNull(deliveryShape),
    metadata: metadataField,
    delivered_at: timeOrNull,
    revoked_at: timeOrNull,
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const customerGrantAnswer = named(
  'CustomerEntitlement',
  shape<CustomerGrantView>({
    grant_id: textField,
    entitlement_id: textField,
    entitlement_name: textField,
    entitlement_description: textOrNull,
    integration_type: choiceField(integrationTypes),
    status: choiceField(grantStatuses.map((status) => status.toLowerCase())),
    delivered_at: timeOrNull,
    revoked_at: timeOrNull,
    created_at: timeField,
    updated_at: timeField,
  }),
)

export const fileUploadAnswer = named('FileUpload', shape<FileUploadView>({ file_id: textField }))

export const productFileOfferAnswer = named(
  'ProductFileOffer',
  shape<ProductFileOfferView>({ file_id: textField, url: textField }),
)
