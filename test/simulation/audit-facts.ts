import type { Fleet } from './fleet.ts'
import type { Received } from './receiver.ts'
import { lowBalanceThreshold } from './shop.ts'
import type { Tables } from './tables.ts'
import { isPending } from './unfinished.ts'

/**
 * Every committed fact must be told, under one id and with one body, and nothing else told.
 * [guarantees#told-at-least-once]
 */
export function facts(
  { received, fleet }: { readonly received: Received; readonly fleet: Fleet },
  tables: Tables,
): readonly string[] {
  const scheduled = [...tables.deliveries.values()].filter(
    (row) => row.nextAt !== null && !isPending(row),
  )
  const later = new Set(scheduled.map(({ messageId }) => messageId))
  const untold = [...tables.facts.keys()].filter((id) => !received.bodies.has(id) && !later.has(id))
  const invented = fleet.wasRestored()
    ? []
    : [...received.bodies.keys()].filter((id) => !tables.facts.has(id))
  return [
    ...untold.map((id) => `${id}: the fact was never told`),
    ...invented.map((id) => `${id}: told, and never committed`),
    ...[...received.bodies]
      .filter(([, bodies]) => bodies.size > 1)
      .map(([id]) => `${id}: told with two bodies`),
    ...lowBalances(tables),
  ]
}

/**
 * One fact for each change that crosses the threshold, however large the change is.
 * [credits#low-balance]
 */
function lowBalances({ saved }: Tables): readonly string[] {
  const line = BigInt(lowBalanceThreshold) * 100n
  return [...saved.values()].flatMap(({ accountId, facts: written, balances: [before, now] }) => {
    const told = written.filter(({ type }) => type === 'credit.balance_low').length
    const crossed = before >= line && now < line ? 1 : 0
    // A grant that lifts the balance may be used in the same step.
    if (told >= crossed && told <= crossed + 1) return []
    return [`${accountId}: from ${before} to ${now}, and ${told} facts of a low balance`]
  })
}
