import { limits } from '../limits.ts'
import type {
  Customer,
  CustomerChanges,
  WantedCustomer,
} from '../rules/commerce/catalog/customer.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import { emailPattern } from '../std/email.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { metadata, nullable, text } from './schemas.ts'

/** [resources#customers] */
export interface CustomerCreate {
  readonly email: string
  readonly name: string
  readonly metadata?: CatalogMetadata | null
  readonly phone_number?: string | null
}

/**
 * Null keeps e-mail and name, which cannot be empty, and clears the other fields. [requests#nulls]
 */
export interface CustomerUpdate {
  readonly email?: string | null
  readonly name?: string | null
  readonly metadata?: CatalogMetadata | null
  readonly phone_number?: string | null
}

/** [resources#customers] */
export interface CustomerView {
  readonly business_id: string
  readonly customer_id: string
  readonly email: string
  readonly name: string
  readonly phone_number: string | null
  readonly metadata: CatalogMetadata
  readonly created_at: string
}

export const email = {
  type: 'string',
  maxLength: limits.emailMax,
  pattern: emailPattern,
  description: 'an e-mail address such as ada@example.com',
}

const name = text(1, limits.nameMax)
const phoneNumber = nullable(text(1, limits.phoneNumberMax))

export const customerCreate = schema<CustomerCreate>({
  type: 'object',
  required: ['email', 'name'],
  properties: { email, name, metadata: nullable(metadata), phone_number: phoneNumber },
})

export const customerUpdate = schema<CustomerUpdate>({
  type: 'object',
  properties: {
    email: nullable(email),
    name: nullable(name),
    metadata: nullable(metadata),
    phone_number: phoneNumber,
  },
})

/** The customer that a body asks for. */
export const wantedCustomer = (body: CustomerCreate): WantedCustomer => ({
  email: body.email,
  name: body.name,
  phoneNumber: body.phone_number ?? null,
  metadata: body.metadata ?? {},
})

export const customerChanges = (body: CustomerUpdate): CustomerChanges => ({
  email: body.email ?? null,
  name: body.name ?? null,
  phoneNumber: body.phone_number,
  metadata: body.metadata === undefined ? null : (body.metadata ?? {}),
})

export function customerView(businessId: string, customer: Customer): CustomerView {
  return {
    business_id: businessId,
    customer_id: customer.customerId,
    email: customer.email,
    name: customer.name,
    phone_number: customer.phoneNumber,
    metadata: customer.metadata,
    created_at: formatInstant(customer.createdAt),
  }
}
