import { grantStatuses } from '../../rules/commerce/entitlements/entitlement-grant.ts'
import { integrationTypes } from '../../rules/commerce/entitlements/product-entitlement.ts'
import {
  customerGrantAnswer,
  entitlementAnswer,
  entitlementGrantAnswer,
  fileUploadAnswer,
  productFileOfferAnswer,
} from '../answers/entitlements.ts'
import { fulfilLicenseKeyBody, fulfilmentBody } from '../entitlement-grant.ts'
import { entitlementCreate, entitlementUpdate } from '../product-entitlement.ts'
import { productFileOffer } from '../product-file.ts'
import { oneOf } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery } from './described.ts'

export const productAccessDescribed: DescribedRoutes = {
  'GET /entitlements': {
    id: 'listEntitlements',
    summary: 'List entitlements',
    query: { integration_type: oneOf(integrationTypes) },
    paged: true,
    answers: { items: entitlementAnswer },
  },
  'POST /entitlements': {
    id: 'createEntitlement',
    summary: 'Create an entitlement',
    body: {
      schema: entitlementCreate,
      example: {
        name: 'Beta features',
        integration_type: 'feature_flag',
        integration_config: { feature_id: 'beta', feature_type: 'boolean' },
      },
    },
    answers: entitlementAnswer,
    status: 201,
    refusals: ['MAXIMUM_KEYS_REACHED', 'INTEGER_CONVERSION_FAILURE'],
  },
  'GET /entitlements/:id': {
    id: 'getEntitlement',
    summary: 'Read an entitlement',
    answers: entitlementAnswer,
  },
  'PATCH /entitlements/:id': {
    id: 'updateEntitlement',
    summary: 'Change an entitlement',
    body: { schema: entitlementUpdate, example: { name: 'Beta' } },
    answers: entitlementAnswer,
    refusals: ['MAXIMUM_KEYS_REACHED', 'INTEGER_CONVERSION_FAILURE'],
  },
  'DELETE /entitlements/:id': {
    id: 'deleteEntitlement',
    summary: 'Delete an entitlement',
    answers: null,
  },
  'POST /entitlements/:id/files': {
    id: 'uploadEntitlementFile',
    summary: 'Attach a file to an entitlement to digital files',
    uploads: true,
    answers: fileUploadAnswer,
    status: 201,
  },
  'DELETE /entitlements/:id/files/:file_id': {
    id: 'deleteEntitlementFile',
    summary: 'Detach a file from an entitlement',
    answers: null,
  },
  'GET /entitlements/:id/grants': {
    id: 'listEntitlementGrants',
    summary: 'List the grants of an entitlement',
    query: { customer_id: textQuery, status: oneOf(grantStatuses) },
    paged: true,
    answers: { items: entitlementGrantAnswer },
  },
  'GET /customers/:customer_id/entitlements': {
    id: 'listCustomerEntitlements',
    summary: 'List what a customer was granted, in short',
    answers: { items: customerGrantAnswer },
  },
  'GET /customers/:customer_id/entitlement-grants': {
    id: 'listCustomerEntitlementGrants',
    summary: 'List the grants of a customer',
    query: { integration_type: oneOf(integrationTypes), status: oneOf(grantStatuses) },
    paged: true,
    answers: { items: entitlementGrantAnswer },
  },
  'DELETE /entitlements/:id/grants/:grant_id': {
    id: 'revokeEntitlementGrant',
    summary: 'Take a grant back',
    answers: entitlementGrantAnswer,
  },
  'POST /grants/:grant_id/license-key': {
    id: 'fulfillLicenseKey',
    summary: 'Deliver the license key of a grant that waits for one',
    body: { schema: fulfilLicenseKeyBody, example: { key: 'OUR-OWN-KEY', activations_limit: 3 } },
    answers: entitlementGrantAnswer,
    refusals: ['CONFLICT', 'NO_EXPIRY_ON_SUBSCRIPTION_LICENSE_KEYS'],
  },
  'POST /grants/:grant_id/fulfillment': {
    id: 'fulfillGrant',
    summary: 'Say what became of a grant that somebody else delivers',
    body: { schema: fulfilmentBody, example: { status: 'Delivered' } },
    answers: entitlementGrantAnswer,
    refusals: ['CONFLICT'],
    ours: true,
  },
  'PUT /products/:id/files': {
    id: 'updateProductFiles',
    summary: 'Get an address to upload a file of a product',
    body: { schema: productFileOffer, example: { file_name: 'manual.pdf' } },
    answers: productFileOfferAnswer,
    refusals: ['BRAND_NOT_ENABLED'],
  },
}
