import { processors } from '../../../src/compose/processors.ts'
import { limits } from '../../../src/limits.ts'
import { boundaries } from '../../../src/parts/store/postgres/accounts/boundaries.ts'
import { creditEntitlements } from '../../../src/parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../../../src/parts/store/postgres/catalog/customers.ts'
import { products } from '../../../src/parts/store/postgres/catalog/products.ts'
import { subscriptions } from '../../../src/parts/store/postgres/catalog/subscriptions.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { paymentRepositories } from '../../../src/parts/store/postgres/payments/payment-repositories.ts'
import { mergeFolds } from '../../../src/rules/meter/fold.ts'
import type { NewId } from '../../../src/std/id.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { measuredOf, sliceOf } from '../store/scratch-store.ts'
import { rowOf } from './memory-shelf.ts'
import type { Counted, Shelf } from './shelf.ts'
import { rowKeyOf } from './shelf.ts'

/** Offsets and ids that go on from program to program, since all share one log and one database. */
export interface Counters {
  offset: number
  ids: number
}

/** A shelf that is a business of its own in the real store. */
export async function storeShelf(store: ScratchStore, counters: Counters): Promise<Shelf> {
  const { db } = store
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const customer = { ...scope, customerId }
  // Ids in the order in which they are made, so that ties are broken as the model breaks them.
  const newId: NewId = (prefix) => `${prefix}_${String(++counters.ids).padStart(12, '0')}`
  return {
    scope,
    customerId,
    newId,
    setAhead,
    routes,
    commit,
    takeBack,
    accounts: store.accounts,
    changes: store.changes,
    businesses: store.businesses,
    subscriptions: subscriptions(db, limits.dedupeWindow),
    products: products(db),
    creditEntitlements: creditEntitlements(db, limits.dedupeWindow),
    customers: customers(db),
    ...paymentRepositories(db),
    rapidUpTo: null,
    processors,
    boundaries: boundaries(db),
  }

  /** Moves the clock back, too: a program moves it ahead for no longer than a race takes. */
  async function setAhead(ahead: number): Promise<void> {
    await db.query(sql`
      update business_modes set clock_ahead_us = ${ahead}
      where (business_id, mode) = (${scope.businessId}, ${scope.mode})`)
  }

  async function routes() {
    const [of] = await store.measuring.routes([customer])
    return of?.routes ?? []
  }

  async function commit(counted: readonly Counted[]): Promise<void> {
    const rows = new Map<string, Counted>()
    for (const each of counted) {
      const known = rows.get(rowKeyOf(each))
      const fold = known === undefined ? each.fold : mergeFolds(known.fold, each.fold)
      rows.set(rowKeyOf(each), { ...each, fold })
    }
    if (rows.size === 0) return
    const slice = sliceOf({ start: counters.offset, events: counted.length })
    counters.offset = slice.end
    const usage = [...rows.values()].map((each) => ({
      ...customer,
      ...rowOf(each),
      logHour: each.target.logHour,
      entitlementId: each.target.entitlementId ?? '',
    }))
    const [first] = usage
    const accounts = [{ ...customer, entitlementId: first?.entitlementId ?? '' }]
    const outcome = await store.measuring.commit(measuredOf({ slices: [slice], usage, accounts }))
    if (outcome.kind !== 'committed') throw new Error(`A commit was ${outcome.kind}.`)
  }

  function takeBack(): never {
    throw new Error('Voids need an archive: test/operations/events has their programs.')
  }
}
