import type { Audit } from '../../parts/store/audit.ts'
import type { LastingGrant } from '../../parts/store/audit-endings.ts'
import { formatInstant } from '../../std/instant.ts'
import type { Difference } from './difference.ts'

/**
 * Grants that still hold credits although the cycle that issued them has ended. [credits#cycle-end,
 * credits#endings, credits#overage]
 */
export async function* lastingGrants(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const grant of audit.lastingGrants(businessId)) {
    const { accountId: id, customerId, grantId, remaining } = grant
    const sentence = `Account ${id} of customer ${customerId}: its grant ${grantId} still holds ${remaining}, but ${why(grant)}.`
    yield { kind: 'account', id, businessId: grant.businessId, sentence }
  }
}

const why = ({ subscriptionId, cycleAt, endless }: LastingGrant): string =>
  endless
    ? `subscription ${subscriptionId}, which issued it, is over, and nothing says when it ends`
    : `the cycle of ${formatInstant(cycleAt)} of subscription ${subscriptionId}, which issued it, has ended`
