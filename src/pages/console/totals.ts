import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route, scanning } from '../../edge/http/route.ts'
import type { ReadTotalsNeeds } from '../../operations/totals/read-totals.ts'
import { readTotals } from '../../operations/totals/read-totals.ts'
import { totalsView } from '../../wire/console-totals.ts'

/** What came in and what was used lately, for the overview. */
export function totalsRoutes(needs: ReadTotalsNeeds): readonly Route[] {
  return [scanning(route('GET', '/overview/totals', 'read', totals))]

  async function totals({ caller, at }: Request): Promise<Reply> {
    return ok(totalsView(await readTotals(needs, caller, at)))
  }
}
