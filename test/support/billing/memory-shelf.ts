import { limits } from '../../../src/limits.ts'
import type { Boundary } from '../../../src/parts/store/boundaries.ts'
import type { Change, CommitOutcome, RowChange } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { AccountChange } from '../../../src/rules/accounts/change.ts'
import type {
  AccountKey,
  AccountSubscription,
  AccountView,
  StoredAccount,
  UsageRow,
} from '../../../src/rules/accounts/view.ts'
import type { CreditEntitlement } from '../../../src/rules/commerce/catalog/credit-entitlement.ts'
import type { Product } from '../../../src/rules/commerce/catalog/product.ts'
import type { Subscription } from '../../../src/rules/commerce/subscriptions/subscription.ts'
import { emptyFold, mergeFolds } from '../../../src/rules/meter/fold.ts'
import type { Stretch } from '../../../src/rules/meter/route.ts'
import { calendarMonth } from '../../../src/std/calendar.ts'
import { formatDecimal } from '../../../src/std/decimal.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, instantOf, laterOf } from '../../../src/std/instant.ts'
import type { Counted, Shelf } from './shelf.ts'
import { rowKeyOf } from './shelf.ts'
import { unpaid, unused } from './unpaid.ts'

const scope: Scope = { businessId: 'bus_1', mode: 'test' }
const customerId = 'cus_1'

/**
 * One customer and one entitlement in memory. Each of its methods waits once, so that calls can
 * race.
 */
export function memoryShelf(): Shelf {
  const subscriptions = new Map<string, Subscription>()
  const oldStretches = new Map<string, readonly Stretch[]>()
  const products = new Map<string, Product>()
  /** Log time of the newest change: programs measure everything at once. */
  let newest = instantOf(0)
  let entitlement: CreditEntitlement | null = null
  let stored: StoredAccount | null = null
  let counted: readonly Counted[] = []
  let unsettled: readonly number[] = []
  let [ids, commits, ahead] = [0, 0, 0]

  return {
    scope,
    customerId,
    routes,
    commit,
    takeBack,
    setAhead: async (to) => {
      ahead = to
    },
    newId: (prefix) => `${prefix}_${String(++ids).padStart(9, '0')}`,
    accounts: {
      load: async (keys) => keys.map(viewOf),
      due: unused,
      dueOfEach: unused,
      unsettledOf: async (_, behind) => (unsettled.length === 0 || behind !== '' ? [] : [keyOf()]),
      backlog: unused,
      setAside: unused,
      adjusted: async () => false,
    },
    changes: { commit: committed },
    businesses: { clockAhead: async () => ahead },
    subscriptions: {
      find: async (_, id) => subscriptions.get(id) ?? null,
      stretches: unused,
      closedTo: async () => {
        const log = after(newest, -limits.dedupeWindow)
        return { at: after(log, ahead), log }
      },
      usageOf: unused,
      list: unused,
    },
    products: {
      get: async (_, id) => products.get(id) ?? null,
      many: unused,
      find: unused,
      list: unused,
    },
    creditEntitlements: {
      get: async () => entitlement,
      many: async (_, all) =>
        new Map(all.flatMap((id) => (entitlement === null ? [] : [[id, entitlement] as const]))),
      closedTo: async () => null,
      list: unused,
    },
    customers: {
      get: async () => ({
        customerId,
        email: 'a@example.com',
        name: 'A',
        phoneNumber: null,
        metadata: {},
        createdAt: instantOf(0),
        updatedAt: instantOf(0),
      }),
      many: unused,
      list: unused,
      existing: unused,
      newestWith: unused,
    },
    ...unpaid,
    boundaries: {
      // There is one business.
      due: async (upTo, whose, limit) =>
        whose !== null && 'except' in whose && whose.except.length > 0
          ? []
          : dueAt(after(upTo, ahead))
              .slice(0, limit)
              .map((boundary) => ({ ...boundary, waits: false })),
    },
  }

  function keyOf(): AccountKey {
    if (entitlement === null) throw new Error('There is no entitlement yet.')
    return { ...scope, customerId, entitlementId: entitlement.creditEntitlementId }
  }

  function viewOf(key: AccountKey): AccountView {
    if (entitlement === null) throw new Error('There is no entitlement yet.')
    return {
      key,
      measured: {},
      customerExists: true,
      clockAhead: ahead,
      stored,
      unsettled,
      entitlement: { ...entitlement, deleted: false },
      usage: usageRows(counted),
      subscriptions: [...subscriptions.values()].map(withOldStretches).map(accountSubscription),
    }
  }

  function stands({ expected, clockAhead }: AccountChange): boolean {
    return (stored?.version ?? null) === expected && clockAhead === ahead
  }

  function save(change: AccountChange): void {
    const { accountId, ownCycleAt, at } = change
    stored = {
      accountId,
      version: (stored?.version ?? 0) + 1,
      stamp: ++commits,
      ownCycleAt,
      setAside: null,
      account: { ...change.account, ended: [] },
      createdAt: stored?.createdAt ?? at,
      updatedAt: at,
      lastTransactionAt: at,
    }
    const seen = new Set(change.unsettled)
    unsettled = unsettled.filter((id) => !seen.has(id))
    if (change.announce) announce()
  }

  async function committed(change: Change): Promise<CommitOutcome> {
    const { clockAhead, rows, accounts } = change
    const inTime = clockAhead === null || clockAhead === ahead
    if (!inTime || !accounts.every(stands) || !rows.every(isExpected)) return 'moved'
    rows.forEach(write)
    accounts.forEach(save)
    return 'committed'
  }

  function versionOf({ subscriptionId }: Subscription): number | null {
    return subscriptions.get(subscriptionId)?.version ?? null
  }

  function isExpected(change: RowChange): boolean {
    switch (change.noun) {
      case 'subscription':
        return versionOf(change.row) === change.expected
      case 'credit_entitlement':
        return (entitlement?.updatedAt ?? null) === change.expected
      case 'product':
        return !products.has(change.row.productId)
      default:
        return unused()
    }
  }

  function write(change: RowChange): void {
    if (change.noun === 'product') products.set(change.row.productId, change.row)
    if (change.noun === 'credit_entitlement') entitlement = change.row
    if (change.noun !== 'subscription' && change.noun !== 'credit_entitlement') return
    newest = laterOf(newest, after(change.row.updatedAt, -ahead))
    if (change.noun === 'credit_entitlement') return
    const { over, row } = change
    const before = oldStretches.get(row.subscriptionId) ?? []
    oldStretches.set(row.subscriptionId, [...before, ...over.map(({ stretch }) => stretch)])
    subscriptions.set(row.subscriptionId, row)
  }

  function withOldStretches(subscription: Subscription): Subscription {
    const all = [
      ...subscription.stretches,
      ...(oldStretches.get(subscription.subscriptionId) ?? []),
    ]
    return { ...subscription, stretches: all.toSorted((a, b) => a.from - b.from) }
  }

  async function routes() {
    return [...subscriptions.values()].map((each) => ({
      routeId: each.subscriptionId,
      activatedAt: each.activatedAt ?? each.createdAt,
      ended: each.ended,
      pauses: each.pauses,
      stretches: each.stretches,
    }))
  }

  async function commit(more: readonly Counted[]): Promise<void> {
    counted = [...counted, ...more]
    if (more.length > 0) announce()
  }

  async function takeBack(eventId: string): Promise<void> {
    // The row stays, with nothing left in it.
    counted = counted.map((each) =>
      each.eventId === eventId ? { ...each, fold: emptyFold(each.fold.aggregation) } : each,
    )
    announce()
  }

  function announce(): void {
    unsettled = [...unsettled, ++commits]
  }

  /** The boundaries that are due, as the store's own query finds them. */
  function dueAt(upTo: Instant): readonly Boundary[] {
    const key = keyOf()
    const ends = [...subscriptions.values()]
      .filter(({ status }) => status === 'active')
      .map((each): Ranked => {
        const { subscriptionId, nextBillingDate: next, expiresAt } = each
        const over = expiresAt !== null && expiresAt < next
        const kind = over ? 'subscription_end' : 'cycle_end'
        const at = over ? expiresAt : next
        return { rank: 0, id: subscriptionId, kind, at, scope, subscriptionId }
      })
    if (stored === null) return ends.filter(({ at }) => at <= upTo).toSorted(inOrder)
    const { accountId, ownCycleAt, account } = stored
    const month = calendarMonth(ownCycleAt).end
    const own: Ranked = { rank: 0, id: accountId, kind: 'own_cycle_end', at: month, key }
    const expiries = account.grants.flatMap(({ grantId, expiresAt: at }): readonly Ranked[] =>
      at === null ? [] : [{ rank: 1, id: grantId, kind: 'expiry', at, key, grantId }],
    )
    return [...ends, own, ...expiries].filter(({ at }) => at <= upTo).toSorted(inOrder)
  }
}

type Ranked = Boundary & { readonly rank: number; readonly id: string }

const inOrder = (a: Ranked, b: Ranked): number =>
  a.at - b.at || a.rank - b.rank || (a.id < b.id ? -1 : 1)

function usageRows(counted: readonly Counted[]): readonly UsageRow[] {
  const rows = new Map<string, Counted>()
  for (const each of counted) {
    const key = rowKeyOf(each)
    const known = rows.get(key)
    rows.set(
      key,
      known === undefined ? each : { ...known, fold: mergeFolds(known.fold, each.fold) },
    )
  }
  return [...rows.values()].map(rowOf)
}

export function rowOf({ meterId, target, fold }: Counted): UsageRow {
  return {
    routeId: target.routeId,
    meterId,
    aggregation: fold.aggregation,
    events: fold.events,
    cycleAt: target.segment.cycle.start,
    segmentAt: target.segment.start,
    value: formatDecimal(fold.value, 18),
    lastAt: fold.last?.at ?? null,
    lastReceived: fold.last?.received ?? null,
    lastEventId: fold.last?.eventId ?? null,
  }
}

const accountSubscription = (of: Subscription): AccountSubscription => ({
  subscriptionId: of.subscriptionId,
  brandId: of.brandId,
  status: of.status,
  activatedAt: of.activatedAt ?? of.createdAt,
  ended: of.ended,
  stretches: of.stretches,
  ...{
    nextBillingDate: of.nextBillingDate,
    expiresAt: of.expiresAt,
    cart: of.cart,
    metadata: of.metadata,
  },
})
