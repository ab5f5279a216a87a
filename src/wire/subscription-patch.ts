import type { Rejection } from '../rules/commerce/catalog/rejection.ts'
import { invalid } from '../rules/commerce/catalog/rejection.ts'
import type { SubscriptionPatch } from '../rules/commerce/subscriptions/update.ts'
import { pastDate } from '../rules/commerce/subscriptions/update.ts'
import type { Instant } from '../std/instant.ts'
import { parseInstant } from '../std/instant.ts'
import type { SubscriptionUpdate } from './subscription-update.ts'
import { subscriptionPatch, updateProblem } from './subscription-update.ts'

/** The patch that a body asks for at `at`, or why it is refused. */
export function wantedPatch(body: SubscriptionUpdate, at: Instant): SubscriptionPatch | Rejection {
  const problem = updateProblem(body)
  if (problem !== null) return invalid(problem)
  const nextBillingDate = dateOf(body.next_billing_date, at)
  const disablesOnDemand = dateOf(body.disable_on_demand?.next_billing_date, at)
  if (nextBillingDate === 'past' || disablesOnDemand === 'past') return pastDate
  return subscriptionPatch(body, nextBillingDate, disablesOnDemand)
}

/** Null: none was sent. */
function dateOf(text: string | null | undefined, at: Instant): Instant | 'past' | null {
  if (text == null) return null
  const date = parseInstant(text)
  return date === null || date <= at ? 'past' : date
}
