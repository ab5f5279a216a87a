import type { Instant } from '../../../std/instant.ts'
import type { CatalogMetadata } from './metadata.ts'

/** Who uses and pays. The e-mail is not unique. [resources#customers] */
export interface Customer {
  readonly customerId: string
  readonly email: string
  readonly name: string
  readonly phoneNumber: string | null
  readonly metadata: CatalogMetadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A customer as somebody asks for one. */
export type WantedCustomer = Pick<Customer, 'email' | 'name' | 'phoneNumber' | 'metadata'>

/** Null keeps what is there, but for the phone number: there undefined keeps and null clears. */
export interface CustomerChanges {
  readonly email: string | null
  readonly name: string | null
  readonly phoneNumber: string | null | undefined
  readonly metadata: CatalogMetadata | null
}
