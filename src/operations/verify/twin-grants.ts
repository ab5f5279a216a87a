import type { Audit } from '../../parts/store/audit.ts'
import { formatInstant } from '../../std/instant.ts'
import type { Difference } from './difference.ts'

/**
 * Cycles whose credits were issued twice, which renewing a cycle twice must never do.
 * [credits#cycle-end, subscriptions#the-time-of-a-command]
 */
export async function* twinGrants(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const twins of audit.twinGrants(businessId)) {
    const { accountId: id, customerId, subscriptionId, grantIds, cycleAt } = twins
    const sentence = `Account ${id} of customer ${customerId}: the cycle of ${formatInstant(cycleAt)} of subscription ${subscriptionId} was granted ${grantIds.length} times: ${grantIds.join(', ')}.`
    yield { kind: 'account', id, businessId: twins.businessId, sentence }
  }
}
