import type { RoutingKnown } from '../../parts/store/explanations.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import { formatCredits } from '../../rules/accounts/credits.ts'
import { segmentsOf } from '../../rules/accounts/project.ts'
import type { AccountKey, AccountView } from '../../rules/accounts/view.ts'
import type { AccountFacts, EffectFacts } from '../../rules/explain/effect.ts'
import { routingThroughTime } from '../../rules/explain/routing.ts'
import type { CycleUsage, SegmentFolds } from '../../rules/explain/usage-so-far.ts'
import { contributions, segmentFolds } from '../../rules/explain/usage-so-far.ts'
import { usageOf } from '../../rules/meter/fold.ts'
import type { CatalogMeter } from '../../rules/meter/measure-types.ts'
import type { EventPlace } from '../../rules/meter/place.ts'
import { compareReceipt, isCovered } from '../../rules/meter/place.ts'
import type { Target } from '../../rules/meter/target.ts'
import type { UsageEvent } from '../../rules/meter/usage-event.ts'
import { groupBy } from '../../std/group.ts'
import { accountIdOf } from '../accounts/account-id.ts'
import { settleForReading } from '../accounts/settle-accounts.ts'
import { linkIn, termed, walkOf } from './cycle-usage.ts'
import type { ExplainNeeds } from './ports.ts'
import { toldOf } from './ports.ts'
import type { Walked } from './walk.ts'
import { walkEvents } from './walk.ts'

/** A meter that matched, and a route that took the quantity. */
export interface Taker {
  readonly meter: CatalogMeter
  readonly target: Target
}

export interface TakenEvent {
  readonly event: UsageEvent
  readonly place: EventPlace
  readonly routing: RoutingKnown
  readonly takers: readonly Taker[]
}

/**
 * What the books hold about each route that took the event, by meter. All of them share one walk.
 */
export async function effectsOf(
  needs: ExplainNeeds,
  scope: Scope,
  taken: TakenEvent,
): Promise<ReadonlyMap<string, readonly EffectFacts[]>> {
  const { event, routing, takers } = taken
  if (takers.length === 0) return new Map()
  const routingAt = routingThroughTime(routing.changes)
  const views = await viewsOf(needs, scope, taken)
  const voided = await needs.voids.ofCustomer(scope, event.customerId)
  const isVoided = (one: UsageEvent) => voided.get(eventNameText(one))?.pending === false
  const counting = takers.map(({ meter, target }) => {
    const { routeId, entitlementId, segment } = target
    const usage: CycleUsage = { meter, routeId, entitlementId, cycleAt: segment.cycle.start }
    const view = entitlementId === null ? null : (views.get(entitlementId) ?? null)
    const contribute = contributions(usage, routingAt, isVoided)
    return { usage, target, view, contribute, ...tallies(usage) }
  })
  const cycles = takers.map(({ target }) => target.segment.cycle)
  const { backfillMax } = needs
  const walk = { ...walkOf(scope, { ...event, cycles, backfillMax }), wants: () => true }
  const { complete } = await walkEvents(needs, walk, (placed) => {
    const order = compareReceipt(placed.place, taken.place)
    for (const one of counting) {
      const part = one.contribute(placed)
      if (part === null) continue
      if (order < 0) one.before.add(placed, part)
      if (order <= 0) one.after.add(placed, part)
      if (isCovered(placed.place, one.view?.measured ?? {})) one.booked.add(placed, part)
    }
  })
  const walked = { complete: complete && routing.complete }
  const effects = await Promise.all(
    counting.map(async (one) => ({
      meterId: one.usage.meter.meterId,
      effect: await effectOf(needs, { scope, place: taken.place }, { ...one, walked }),
    })),
  )
  return new Map(
    [...groupBy(effects, ({ meterId }) => meterId)].map(([meterId, all]) => [
      meterId,
      all.map(({ effect }) => effect),
    ]),
  )
}

const tallies = (usage: CycleUsage) => ({
  before: segmentFolds(usage),
  after: segmentFolds(usage),
  /** What is measured, as of the account's view. */
  booked: segmentFolds(usage),
})

async function viewsOf(
  needs: ExplainNeeds,
  scope: Scope,
  { event, takers }: TakenEvent,
): Promise<ReadonlyMap<string, AccountView>> {
  const ids = new Set(takers.flatMap(({ target }) => target.entitlementId ?? []))
  const views = new Map<string, AccountView>()
  for (const entitlementId of ids) {
    const key = { ...scope, customerId: event.customerId, entitlementId }
    const view = await settledView(needs, key)
    if (view !== null) views.set(entitlementId, view)
  }
  return views
}

/**
 * Settles and saves the account, like ledger reads; one that was set aside is read as it is stored.
 */
async function settledView(needs: ExplainNeeds, key: AccountKey): Promise<AccountView | null> {
  const [view] = await needs.accounts.load([key], 'whole')
  if (view === undefined || view.entitlement === null) return null
  if (view.unsettled.length === 0 || view.stored?.setAside != null) return view
  await settleForReading(needs, key)
  const [settled] = await needs.accounts.load([key], 'whole')
  return settled ?? null
}

interface Counted extends ReturnType<typeof tallies> {
  readonly usage: CycleUsage
  readonly target: Target
  readonly view: AccountView | null
  readonly walked: Walked
}

async function effectOf(
  needs: ExplainNeeds,
  { scope, place }: { readonly scope: Scope; readonly place: EventPlace },
  counted: Counted,
): Promise<EffectFacts> {
  const { usage, target, view, walked } = counted
  const { routeId, entitlementId } = usage
  const { meterId } = usage.meter
  const link = linkIn(target.segment.links, meterId, entitlementId)
  if (link === null) throw new Error('A route took usage without a link.')
  const stretches = await needs.explanations.stretches(scope, routeId)
  const account = view === null ? null : accountFacts(view)
  const settling =
    account === null
      ? null
      : await needs.explanations.settlingAfter(account.accountId, { ...usage, meterId }, place)
  const told = await Promise.all(
    (settling?.entries ?? []).map(
      async (entry) => [entry.entryId, await toldOf(needs, entry)] as const,
    ),
  )
  return {
    kind: routeId === entitlementId ? 'default_link' : 'subscription',
    routeId,
    entitlementId,
    segment: target.segment,
    link,
    precision: view?.entitlement?.precision ?? 0,
    before: termed(counted.before.folds, stretches, usage),
    after: termed(counted.after.folds, stretches, usage),
    agrees: walked.complete && view !== null ? agrees(counted.booked.folds, usage, view) : null,
    complete: walked.complete,
    account,
    settling,
    told: new Map(told),
  }
}

function accountFacts({ key, stored, unsettled, entitlement }: AccountView): AccountFacts {
  const dropped = stored?.account.state.dropped
  return {
    accountId: stored?.accountId ?? accountIdOf(key),
    unsettled: unsettled.length > 0,
    setAside: stored?.setAside ?? null,
    dropped: dropped === undefined ? '0' : formatCredits(dropped, entitlement?.precision ?? 0),
  }
}

/** Whether the events that are kept add up to the usage that was charged, segment by segment. */
function agrees(folds: SegmentFolds, usage: CycleUsage, view: AccountView): boolean {
  const rows = view.usage.filter(
    (row) =>
      row.routeId === usage.routeId &&
      row.meterId === usage.meter.meterId &&
      row.cycleAt === usage.cycleAt,
  )
  // A row stays when all of its events are voided.
  const segments = segmentsOf(rows, view).filter(({ fold }) => fold.events > 0)
  return (
    segments.length === folds.size &&
    segments.every(({ start, fold }) => {
      const own = folds.get(start)
      return own !== undefined && own.events === fold.events && usageOf(own) === usageOf(fold)
    })
  )
}
