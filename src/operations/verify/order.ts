import type { AuditedEntry } from '../../parts/store/audit.ts'
import { formatInstant } from '../../std/instant.ts'

/**
 * Where a ledger runs backwards: an entry that is older than the one before it.
 * [subscriptions#the-time-of-a-command]
 */
export function backwards(before: AuditedEntry | null, entry: AuditedEntry): string | null {
  if (before === null || entry.createdAt >= before.createdAt) return null
  const [at, newest] = [formatInstant(entry.createdAt), formatInstant(before.createdAt)]
  return `its ledger runs backwards: entry ${entry.number} is of ${at}, and the one before it of ${newest}`
}
