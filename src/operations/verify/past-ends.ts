import type { Audit } from '../../parts/store/audit.ts'
import { formatInstant } from '../../std/instant.ts'
import type { Difference } from './difference.ts'

/** Subscriptions that are still active after the end of their period. [subscriptions#endings] */
export async function* pastEnds(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const past of audit.pastEnds(businessId)) {
    const { subscriptionId: id, customerId, expiresAt } = past
    const sentence = `Subscription ${id} of customer ${customerId} is active, but its period ended at ${formatInstant(expiresAt)}.`
    yield { kind: 'subscription', id, businessId: past.businessId, sentence }
  }
}
