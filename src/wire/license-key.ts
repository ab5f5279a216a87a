import { limits } from '../limits.ts'
import type { Customer } from '../rules/commerce/catalog/customer.ts'
import type { Product } from '../rules/commerce/catalog/product.ts'
import type {
  LicenseKey,
  LicenseKeyChange,
  LicenseKeyInstance,
  LicenseKeySource,
  LicenseKeyStatus,
} from '../rules/commerce/licenses/license-key.ts'
import { licenseKeyStatus } from '../rules/commerce/licenses/license-key.ts'
import { defined } from '../std/defined.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant, parseInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { flag, id, nullable, text, whole } from './schemas.ts'
import type { CustomerLimitedDetails } from './subscription.ts'
import { customerLimitedDetails } from './subscription.ts'

/** [licenses#license-keys] */
export interface LicenseKeyCreate {
  readonly customer_id: string
  readonly key: string
  readonly product_id: string
  readonly activations_limit?: number | null
  readonly expires_at?: string | null
}

/** Null: no limit, no expiry. [requests#nulls] */
export interface LicenseKeyUpdate {
  readonly activations_limit?: number | null
  readonly disabled?: boolean | null
  readonly expires_at?: string | null
}

/** [licenses#license-keys] */
export interface LicenseKeyView {
  readonly id: string
  readonly brand_id: string
  readonly business_id: string
  readonly customer_id: string
  readonly product_id: string
  readonly payment_id: string | null
  readonly subscription_id: string | null
  readonly key: string
  readonly source: LicenseKeySource
  readonly status: LicenseKeyStatus
  readonly activations_limit: number | null
  readonly instances_count: number
  readonly expires_at: string | null
  readonly created_at: string
}

/** [licenses#license-keys] */
export interface LicenseKeyInstanceView {
  readonly id: string
  readonly business_id: string
  readonly license_key_id: string
  readonly name: string
  readonly created_at: string
}

/** [licenses#activation] */
export interface LicenseActivateView extends LicenseKeyInstanceView {
  readonly customer: CustomerLimitedDetails
  readonly product: { readonly product_id: string; readonly name: string | null }
}

/** [licenses#activation] */
export interface LicenseValidateView {
  readonly valid: boolean
}

/** Text of a key that the seller chose. */
const keyText = text(1, limits.nameMax)
const limit = nullable(whole(1, limits.moneyMax))
const moment = { type: ['string', 'null'], format: 'date-time' }

export const licenseKeyCreate = schema<LicenseKeyCreate>({
  type: 'object',
  required: ['customer_id', 'key', 'product_id'],
  properties: {
    customer_id: id,
    key: keyText,
    product_id: id,
    activations_limit: limit,
    expires_at: moment,
  },
})

export const licenseKeyUpdate = schema<LicenseKeyUpdate>({
  type: 'object',
  properties: {
    activations_limit: limit,
    disabled: nullable(flag),
    expires_at: moment,
  },
})

export const instanceUpdate = schema<{ readonly name: string }>({
  type: 'object',
  required: ['name'],
  properties: { name: text(1, limits.nameMax) },
})

interface LicenseBody {
  readonly license_key: string
}
interface ActivateBody extends LicenseBody {
  readonly name: string
}
interface DeactivateBody extends LicenseBody {
  readonly license_key_instance_id: string
}
interface ValidateBody extends LicenseBody {
  readonly license_key_instance_id?: string | null
}

export const licenseActivate = schema<ActivateBody>({
  type: 'object',
  required: ['license_key', 'name'],
  properties: { license_key: keyText, name: text(1, limits.nameMax) },
})

export const licenseDeactivate = schema<DeactivateBody>({
  type: 'object',
  required: ['license_key', 'license_key_instance_id'],
  properties: { license_key: keyText, license_key_instance_id: id },
})

export const licenseValidate = schema<ValidateBody>({
  type: 'object',
  required: ['license_key'],
  properties: { license_key: keyText, license_key_instance_id: nullable(id) },
})

/** A key, and what its new place is called. */
export const namedLicense = (body: ActivateBody) => ({ key: body.license_key, name: body.name })

/** A key, and a place of it. */
export const licensePlace = (body: DeactivateBody) => ({
  key: body.license_key,
  instanceId: body.license_key_instance_id,
})

export const maybePlace = (body: ValidateBody) => ({
  key: body.license_key,
  instanceId: body.license_key_instance_id ?? null,
})

const timeIn = (sent: string | null): Instant | null => (sent === null ? null : parseInstant(sent))

/** The key that a body brings along. */
export const importedKey = (body: LicenseKeyCreate) => ({
  customerId: body.customer_id,
  key: body.key,
  productId: body.product_id,
  activationsLimit: body.activations_limit ?? null,
  expiresAt: timeIn(body.expires_at ?? null),
})

export const licenseKeyChange = (body: LicenseKeyUpdate): LicenseKeyChange =>
  defined({
    activationsLimit: body.activations_limit,
    disabled: body.disabled ?? undefined,
    expiresAt: body.expires_at === undefined ? undefined : timeIn(body.expires_at),
  })

export const licenseKeyView = (
  businessId: string,
  key: LicenseKey,
  at: Instant,
): LicenseKeyView => ({
  id: key.licenseKeyId,
  brand_id: key.brandId,
  business_id: businessId,
  customer_id: key.customerId,
  product_id: key.productId,
  payment_id: key.paymentId,
  subscription_id: key.subscriptionId,
  key: key.key,
  source: key.source,
  status: licenseKeyStatus(key, at),
  activations_limit: key.activationsLimit,
  instances_count: key.instancesCount,
  expires_at: key.expiresAt === null ? null : formatInstant(key.expiresAt),
  created_at: formatInstant(key.createdAt),
})

export const instanceView = (
  businessId: string,
  instance: LicenseKeyInstance,
): LicenseKeyInstanceView => ({
  id: instance.instanceId,
  business_id: businessId,
  license_key_id: instance.licenseKeyId,
  name: instance.name,
  created_at: formatInstant(instance.createdAt),
})

export const licenseActivateView = (
  { businessId, instance }: { readonly businessId: string; readonly instance: LicenseKeyInstance },
  customer: Customer,
  product: Pick<Product, 'productId' | 'name'>,
): LicenseActivateView => ({
  ...instanceView(businessId, instance),
  customer: customerLimitedDetails(customer),
  product: { product_id: product.productId, name: product.name },
})
