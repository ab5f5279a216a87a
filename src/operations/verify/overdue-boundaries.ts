import type { Audit } from '../../parts/store/audit.ts'
import { formatInstant } from '../../std/instant.ts'
import type { Difference } from './difference.ts'

/**
 * Ends of cycles, months and grants that have long been due, and that nobody has applied.
 * [machines#boundaries]
 */
export async function* overdueBoundaries(
  audit: Audit,
  businessId: string | null,
): AsyncIterable<Difference> {
  for await (const { at, businessId: of, id, noun } of audit.overdue(businessId)) {
    const sentence = `${nouns[noun]} ${id} was to end at ${formatInstant(at)}, and has not.`
    yield { kind: 'boundary', id, businessId: of, sentence }
  }
}

const nouns = {
  cycle: 'The cycle of subscription',
  month: 'The month of account',
  grant: 'Grant',
} as const
