import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import type { CatalogMetadata } from './metadata.ts'

/** The business's customer, who uses and pays. E-mails are not unique. [resources#customers] */
export interface Customer {
  readonly customerId: string
  readonly email: string
  readonly name: string
  readonly phoneNumber: string | null
  readonly metadata: CatalogMetadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A customer as a caller asks for one. */
export type WantedCustomer = Pick<Customer, 'email' | 'name' | 'phoneNumber' | 'metadata'>

export const newCustomer = (customerId: string, wanted: WantedCustomer, at: Instant): Customer => ({
  ...wanted,
  customerId,
  createdAt: at,
  updatedAt: at,
})

/**
 * Null keeps a field as it is. Only the phone number differs: undefined keeps it, and null clears
 * it.
 */
export interface CustomerChanges {
  readonly email: string | null
  readonly name: string | null
  readonly phoneNumber: string | null | undefined
  readonly metadata: CatalogMetadata | null
}

export const changedCustomer = (
  customer: Customer,
  { email, name, phoneNumber, metadata }: CustomerChanges,
  at: Instant,
): Customer => ({
  ...customer,
  email: email ?? customer.email,
  name: name ?? customer.name,
  phoneNumber: phoneNumber === undefined ? customer.phoneNumber : phoneNumber,
  metadata: metadata ?? customer.metadata,
  updatedAt: laterOf(at, customer.updatedAt),
})
