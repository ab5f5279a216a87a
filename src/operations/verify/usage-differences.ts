import type { Audit } from '../../parts/store/audit.ts'
import type { Difference } from './difference.ts'

/** Rows of usage, voids, and what takes usage. [meters#aggregation, events#voids] */
export async function* usageDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentUsage(businessId)) {
    const noun = id.startsWith('cde_') ? 'Credit entitlement' : 'Customer'
    yield { kind: 'usage', id, businessId: of, sentence: `${noun} ${id}: ${what}.` }
  }
}
