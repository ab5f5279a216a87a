import type { Mode } from '../../rules/meter/meter.ts'

/** Whose data is meant: the business that the API key names, and the mode that the host names. */
export interface Scope {
  readonly businessId: string
  readonly mode: Mode
}

/** One customer of a business. */
export interface CustomerKey extends Scope {
  readonly customerId: string
}

/** A part of a list, newest first. */
export interface Page {
  readonly limit: number
  readonly offset: number
}
