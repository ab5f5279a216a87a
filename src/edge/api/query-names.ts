import { Fault } from '../../faults.ts'
import { nearestTo } from '../../std/near.ts'
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
  const open = [...known].filter((name) => !given.includes(name))
  for (const name of given.slice(0, namesMax)) {
    const wanted = known.has(name) ? null : nearestTo(name, open)
    if (wanted === null) continue
    const names = [...known].join(', ')
    throw new Fault(
      'INVALID_QUERY_PARAMS',
      `${name} looks like a misspelling of ${wanted}: this route's parameters are ${names}.`,
    )
  }
}

/** A query may hold any number of names: so many are looked at. */
const namesMax = 100
