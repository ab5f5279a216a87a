import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'

/** Which customers a business has. */
export interface CustomerDirectory {
  /** Those of `ids` that exist. Throws UNAVAILABLE when the store is away. */
  existing(businessId: string, mode: Mode, ids: readonly string[]): Promise<ReadonlySet<string>>
}

export interface KnownCustomers {
  /** Whether a customer is known to exist. False says nothing: it may. */
  isKnown(scope: string, id: string): boolean
  /**
   * Those of `ids` that do not exist, as the store says right now; not a promise where all are
   * known. Throws UNAVAILABLE.
   */
  missing(
    businessId: string,
    mode: Mode,
    ids: ReadonlySet<string>,
  ): ReadonlySet<string> | Promise<ReadonlySet<string>>
}

/**
 * Remembers which customers exist, and only that: customers are never deleted, but a missing one
 * may be created the next moment, so the edge never says "unknown customer" from memory. While the
 * store is away remembered customers count for as long as the caller's key does, which ends with
 * MAX_STALE. [machines#the-catalogue-while-it-changes, machines#backpressure]
 *
 * There are two generations; when the younger one is full the older one is dropped, so whatever is
 * in use stays.
 */
export function knownCustomers(
  directory: CustomerDirectory,
  entriesMax: number = limits.customerCacheEntriesMax,
): KnownCustomers {
  let young = new Map<string, Set<string>>()
  let old = new Map<string, Set<string>>()
  let count = 0
  return { isKnown, missing }

  function missing(
    businessId: string,
    mode: Mode,
    ids: ReadonlySet<string>,
  ): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    const scope = customerScope(businessId, mode)
    for (const id of ids) if (!isKnown(scope, id)) return asked(businessId, mode, ids)
    return none
  }

  async function asked(
    businessId: string,
    mode: Mode,
    ids: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const scope = customerScope(businessId, mode)
    const strange = [...ids].filter((id) => !isKnown(scope, id))
    const existing = await directory.existing(businessId, mode, strange)
    for (const id of existing) remember(scope, id)
    return new Set(strange.filter((id) => !existing.has(id)))
  }

  function isKnown(scope: string, id: string): boolean {
    if (young.get(scope)?.has(id) === true) return true
    if (old.get(scope)?.has(id) !== true) return false
    remember(scope, id)
    return true
  }

  function remember(scope: string, id: string): void {
    if (count >= entriesMax / 2) {
      old = young
      young = new Map()
      count = 0
    }
    const ids = young.get(scope) ?? new Set()
    if (!ids.has(id)) count += 1
    young.set(scope, ids.add(id))
  }
}

/** Names a business's customers of one mode. */
export const customerScope = (businessId: string, mode: Mode): string => `${mode} ${businessId}`

const none: ReadonlySet<string> = new Set()
