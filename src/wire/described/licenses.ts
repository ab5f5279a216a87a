import { licenseKeySources, licenseKeyStatuses } from '../../rules/commerce/licenses/license-key.ts'
import {
  instanceAnswer,
  licenseActivateAnswer,
  licenseKeyAnswer,
  licenseValidateAnswer,
} from '../answers/licenses.ts'
import {
  instanceUpdate,
  licenseActivate,
  licenseDeactivate,
  licenseKeyCreate,
  licenseKeyUpdate,
  licenseValidate,
} from '../license-key.ts'
import { oneOf } from '../schemas.ts'
import type { DescribedRoutes } from './described.ts'
import { textQuery, timeQuery } from './described.ts'

const key = 'MFRGG2LT-NBSWY3DP-OEZGS43U-PF2XEZLN'

export const licensesDescribed: DescribedRoutes = {
  'GET /license_keys': {
    id: 'listLicenseKeys',
    summary: 'List license keys',
    query: {
      customer_id: textQuery,
      product_id: textQuery,
      status: oneOf(licenseKeyStatuses),
      source: oneOf(licenseKeySources),
      created_at_gte: timeQuery,
      created_at_lte: timeQuery,
    },
    paged: true,
    answers: { items: licenseKeyAnswer },
  },
  'POST /license_keys': {
    id: 'createLicenseKey',
    summary: 'Bring a license key along that was made elsewhere',
    body: {
      schema: licenseKeyCreate,
      example: { customer_id: 'cus_1', product_id: 'pdt_1', key, activations_limit: 3 },
    },
    answers: licenseKeyAnswer,
    refusals: ['NOT_FOUND', 'CONFLICT'],
  },
  'GET /license_keys/:id': {
    id: 'getLicenseKey',
    summary: 'Read a license key',
    answers: licenseKeyAnswer,
  },
  'PATCH /license_keys/:id': {
    id: 'updateLicenseKey',
    summary: 'Change a license key',
    body: { schema: licenseKeyUpdate, example: { activations_limit: 5 } },
    answers: licenseKeyAnswer,
    refusals: [
      'NO_EXPIRY_ON_SUBSCRIPTION_LICENSE_KEYS',
      'ACTIVATION_LIMIT_LESS_THAN_CURRENT_AMOUNT',
    ],
  },
  'GET /license_key_instances': {
    id: 'listLicenseKeyInstances',
    summary: 'List the places where license keys are in use',
    query: { license_key_id: textQuery, grant_id: textQuery },
    paged: true,
    answers: { items: instanceAnswer },
  },
  'GET /license_key_instances/:id': {
    id: 'getLicenseKeyInstance',
    summary: 'Read a place where a license key is in use',
    answers: instanceAnswer,
  },
  'PATCH /license_key_instances/:id': {
    id: 'updateLicenseKeyInstance',
    summary: 'Rename a place where a license key is in use',
    body: { schema: instanceUpdate, example: { name: 'Laptop' } },
    answers: instanceAnswer,
  },
  'POST /licenses/activate': {
    id: 'activateLicense',
    summary: 'Use a license key in one more place',
    body: { schema: licenseActivate, example: { license_key: key, name: 'Laptop' } },
    answers: licenseActivateAnswer,
    status: 201,
    refusals: ['LICENSE_KEY_NOT_FOUND', 'INACTIVE_LICENSE_KEY', 'LICENSE_KEY_LIMIT_REACHED'],
  },
  'POST /licenses/deactivate': {
    id: 'deactivateLicense',
    summary: 'Give a place of a license key back',
    body: {
      schema: licenseDeactivate,
      example: { license_key: key, license_key_instance_id: 'lki_1' },
    },
    answers: null,
    refusals: ['LICENSE_KEY_NOT_FOUND', 'LICENSE_KEY_OF_ANOTHER_INSTANCE', 'NOT_FOUND'],
  },
  'POST /licenses/validate': {
    id: 'validateLicense',
    summary: 'Ask whether a license key may be used',
    body: { schema: licenseValidate, example: { license_key: key } },
    answers: licenseValidateAnswer,
  },
}
