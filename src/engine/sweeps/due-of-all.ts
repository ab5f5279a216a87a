import type { Boundaries, Boundary, DueBoundary } from '../../parts/store/boundaries.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { scopeName } from '../../runtime/scope-counts.ts'
import type { Instant } from '../../std/instant.ts'

/** How many boundaries one look answers. */
export const boundariesPerLook = 100

/** How many businesses with more than that can be passed over in a round. */
const looksMax = 5

/**
 * What is due up to a moment, the earliest of each business first. Where a look is full, the next
 * one leaves out the businesses in it: or else a business with a million subscriptions that renew
 * at one moment, or with boundaries that cannot be applied, would hold up all others.
 */
export async function dueOfAll(
  boundaries: Pick<Boundaries, 'due'>,
  upTo: Instant,
): Promise<readonly DueBoundary[]> {
  const all: DueBoundary[] = []
  for (let looks = 0; looks < looksMax; looks += 1) {
    const some = await boundaries.due(upTo, { except: scopesOf(all) }, boundariesPerLook)
    all.push(...some)
    if (some.length < boundariesPerLook) break
  }
  return all
}

export const scopeOf = (boundary: Boundary): Scope => {
  const { businessId, mode } = 'key' in boundary ? boundary.key : boundary.scope
  return { businessId, mode }
}

const scopesOf = (boundaries: readonly Boundary[]): readonly Scope[] => {
  const scopes = new Map<string, Scope>()
  for (const scope of boundaries.map(scopeOf)) scopes.set(scopeName(scope), scope)
  return [...scopes.values()]
}
