import type { Measuring, VersionedRoutes } from '../../parts/store/measuring.ts'
import type { CustomerKey } from '../../parts/store/scope.ts'

/** What measuring has loaded of customers' routes. [machines#the-catalogue-while-it-changes] */
export interface RouteCache {
  /** Loads the routes that are not held. After it, `get` answers for every customer that exists. */
  ensure(customers: readonly CustomerKey[]): Promise<void>
  get(customer: CustomerKey): VersionedRoutes | undefined
  forget(customers: readonly CustomerKey[]): void
}

const heldMax = 100_000

export function routeCache(store: Measuring): RouteCache {
  const held = new Map<string, VersionedRoutes>()
  return { ensure, get, forget }

  async function ensure(customers: readonly CustomerKey[]): Promise<void> {
    const missing = customers.filter((customer) => !held.has(nameOf(customer)))
    if (missing.length === 0) return
    // Forgetting everything is crude, rare and safe: what is needed is loaded again right below.
    if (held.size + missing.length > heldMax) held.clear()
    const wanted = held.size === 0 ? customers : missing
    for (const found of await store.routes(wanted)) {
      const { routes, stamp, version } = found
      held.set(nameOf(found), { version, stamp, routes })
    }
  }

  function get(customer: CustomerKey): VersionedRoutes | undefined {
    return held.get(nameOf(customer))
  }

  function forget(customers: readonly CustomerKey[]): void {
    for (const customer of customers) held.delete(nameOf(customer))
  }
}

const nameOf = (customer: CustomerKey): string =>
  `${customer.mode} ${customer.businessId} ${customer.customerId}`
