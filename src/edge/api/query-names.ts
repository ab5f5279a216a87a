import { Fault } from '../../faults.ts'
import { nearMiss } from '../../std/near.ts'
import type { DescribedRoutes } from '../../wire/described/described.ts'
import { pageQuery } from '../../wire/described/described.ts'
import type { Request, Route } from '../http/route.ts'

/**
 * The same routes, which refuse a parameter that they do not know and that looks like one of
 * theirs: a filter that is misspelled would answer more than was asked for. Other parameters that
 * nobody knows are ignored. [requests#lists]
 */
export const refusingMisspelled = (
  routes: readonly Route[],
  described: DescribedRoutes,
): readonly Route[] => routes.map((each) => refusing(each, described))

function refusing(each: Route, described: DescribedRoutes): Route {
  const { query = {}, paged } = described[`${each.method} /${each.pattern.slice(1)}`] ?? {}
  const known = new Set(Object.keys({ ...query, ...(paged === true ? pageQuery : {}) }))
  if (known.size === 0) return each
  const { handler } = each
  return {
    ...each,
    async handler(request) {
      refuseMisspelled(request, known)
      return handler(request)
    },
  }
}

function refuseMisspelled(request: Request, known: ReadonlySet<string>): void {
  const given = request.queried()
  if (given.length === 0) return
  for (const wanted of known) {
    const near = given.includes(wanted) ? null : nearMiss(wanted, given, known)
    if (near === null) continue
    const names = [...known].join(', ')
    throw new Fault(
      'INVALID_QUERY_PARAMS',
      `${near} looks like a misspelling of ${wanted}: this route's parameters are ${names}.`,
    )
  }
}
