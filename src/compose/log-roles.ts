import type { Config } from '../config.ts'
import { Refusal } from '../faults.ts'
import type { Role } from './parts.ts'

/** Roles that read or write the event log. */
const logRoles = ['http', 'billing', 'archive'] as const satisfies readonly Role[]

export const needsLog = (roles: readonly Role[]): boolean =>
  logRoles.some((role) => roles.includes(role))

/**
 * Refuses an embedded log whose roles are not all in this process, since it lives in one process.
 * [machines#parts]
 *
 * @throws Refusal naming the roles that are missing.
 */
export function assertWholeLog({ kafka }: Config, roles: readonly Role[]): void {
  const missing = logRoles.filter((role) => !roles.includes(role))
  if (kafka !== null || !needsLog(roles) || missing.length === 0) return
  throw new Refusal(
    `Without KAFKA_BROKERS the event log is a part of this process, so the roles ${logRoles.join(', ')} run together: add ${missing.join(', ')} to --roles, or set KAFKA_BROKERS.`,
  )
}
