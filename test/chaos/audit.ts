import { auditAccounts } from './audit-accounts.ts'
import { auditEvents } from './audit-events.ts'
import { auditUsage } from './audit-usage.ts'
import type { AuditParts, Difference } from './differences.ts'

/** Compares everything, after the server has come to rest. */
export async function audit(parts: AuditParts): Promise<readonly Difference[]> {
  // First, because it tells the model which of the unanswered events were accepted after all.
  const events = await auditEvents(parts)
  return [...events, ...(await auditUsage(parts)), ...(await auditAccounts(parts))]
}
