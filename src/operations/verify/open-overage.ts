import type { Audit } from '../../parts/store/audit.ts'
import type { OpenOverage } from '../../parts/store/audit-endings.ts'
import { formatInstant } from '../../std/instant.ts'
import type { Difference } from './difference.ts'

/** Overage that was not closed when the terms that governed it ended. [credits#overage] */
export async function* openOverages(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const open of audit.openOverages(businessId)) {
    const { accountId: id, customerId, overage } = open
    const sentence = `Account ${id} of customer ${customerId}: its overage of ${overage} ${why(open)}.`
    yield { kind: 'account', id, businessId: open.businessId, sentence }
  }
}

function why({ left }: OpenOverage): string {
  if (left === null) return 'is under nobody’s terms: no subscription carries these credits'
  const { subscriptionId, behavior, at } = left
  return `was left open when subscription ${subscriptionId} ended at ${formatInstant(at)}, whose terms (${behavior}) close it`
}
