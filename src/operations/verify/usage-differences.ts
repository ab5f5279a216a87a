import type { Audit } from '../../parts/store/audit.ts'
import type { Difference } from './difference.ts'

/** Rows of usage and voids by themselves. [meters#aggregation, events#voids] */
export async function* usageDifferences(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { businessId: of, id, what } of audit.bentUsage(businessId)) {
    yield { kind: 'usage', id, businessId: of, sentence: `Customer ${id}: ${what}.` }
  }
}
