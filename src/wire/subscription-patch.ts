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
  const text = body.next_billing_date ?? null
  const date = text === null ? null : parseInstant(text)
  if (text !== null && (date === null || date <= at)) return pastDate
  return subscriptionPatch(body, date)
}
