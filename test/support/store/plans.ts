/** What PostgreSQL says of a plan that it has carried out. */
export interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows that scans of tables and indexes have read, those that they left out included. */
export function readBy(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + readBy(each), 0)
  if (!/Scan$/.test(plan['Node Type']) || /CTE|Subquery|Function/.test(plan['Node Type']))
    return below
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return below + own * plan['Actual Loops']
}
