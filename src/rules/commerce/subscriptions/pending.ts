import { addIntervals } from '../../../std/calendar.ts'
import type { Instant } from '../../../std/instant.ts'
import { laterOf } from '../../../std/instant.ts'
import type { Subscription } from './subscription.ts'

/**
 * A subscription that waits for its first payment, as it would be if it began now: it takes no
 * usage and grants nothing, and its dates are an estimate. [subscriptions#pending]
 */
export const pending = (started: Subscription): Subscription => ({
  ...started,
  status: 'pending',
  activatedAt: null,
  stretches: [],
})

/**
 * The subscription once its first payment has succeeded: it begins then, with what it was changed
 * to meanwhile. [subscriptions#pending]
 */
export const activated = (was: Subscription, started: Subscription): Subscription => ({
  ...started,
  brandId: was.brandId,
  cancellation: was.cancellation,
  period: was.period,
  expiresAt: addIntervals(started.createdAt, was.period, 1),
  billing: was.billing,
  metadata: was.metadata,
  taxId: was.taxId,
  customerName: was.customerName,
  customerBusinessName: was.customerBusinessName,
  createdAt: was.createdAt,
  version: was.version + 1,
  updatedAt: laterOf(started.updatedAt, was.updatedAt),
})

/** The subscription whose first payment has failed, or was never tried. [subscriptions#pending] */
export const unpaid = (was: Subscription, at: Instant): Subscription => ({
  ...was,
  status: 'failed',
  version: was.version + 1,
  updatedAt: laterOf(at, was.updatedAt),
})
