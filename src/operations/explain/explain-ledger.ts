import { notFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { ChargeKey } from '../../parts/store/explanations.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { EventName, Void } from '../../parts/store/voids.ts'
import { eventNameText } from '../../parts/store/voids.ts'
import { formatCredits } from '../../rules/accounts/credits.ts'
import type {
  EntryOfAccount,
  GrantOfAccount,
  Settling,
} from '../../rules/explain/account-records.ts'
import { usageInputs } from '../../rules/explain/account-records.ts'
import type {
  CoveredEvent,
  CoveredUsage,
  EntryExplanation,
  TakenBack,
} from '../../rules/explain/entry.ts'
import { explainEntry } from '../../rules/explain/entry.ts'
import type { GrantExplanation } from '../../rules/explain/grant.ts'
import { explainGrant } from '../../rules/explain/grant.ts'
import { routingThroughTime } from '../../rules/explain/routing.ts'
import type { PlacedEvent } from '../../rules/explain/usage-so-far.ts'
import { contributions, segmentFolds } from '../../rules/explain/usage-so-far.ts'
import { explainWorth } from '../../rules/explain/worth-words.ts'
import { compareReceipt, isCovered } from '../../rules/meter/place.ts'
import type { Stretch, Usage } from '../../rules/meter/route.ts'
import { segmentAt } from '../../rules/meter/route.ts'
import { formatDecimal } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import { catalogMeter, termed, walkOf } from './cycle-usage.ts'
import type { ExplainNeeds } from './ports.ts'
import { toldOf } from './ports.ts'
import { walkEvents } from './walk.ts'

/** How many events and entries an explanation shows; it also says how many there are. */
const shownMax = 50

/** Why a ledger entry exists. 404 when it does not, or belongs to somebody else. */
export async function explainEntryById(
  needs: ExplainNeeds,
  scope: Scope,
  entryId: string,
): Promise<EntryExplanation> {
  const entry = await needs.explanations.entry(entryId)
  if (entry === null || !isOf(entry, scope)) throw notFound('ledger entry', entryId)
  const grant = entry.grantId === null ? null : await needs.explanations.grant(entry.grantId)
  const told = await toldOf(needs, entry)
  const charge = chargeOf(entry)
  if (charge === null) return explainEntry({ entry, grant, told, settling: null, usage: null })
  const settling = await needs.explanations.settlingOf(entry, charge)
  const usage = await coveredBy(needs, { entry, charge, settling })
  return explainEntry({ entry, grant, told, settling, usage })
}

/**
 * Where a grant came from and where it went. 404 when it does not exist, or belongs to somebody
 * else.
 */
export async function explainGrantById(
  needs: ExplainNeeds,
  scope: Scope,
  grantId: string,
): Promise<GrantExplanation> {
  const grant = await needs.explanations.grant(grantId)
  if (grant === null || !isOf(grant, scope)) throw notFound('grant', grantId)
  const { count, entries } = await needs.explanations.entriesOfGrant(grant, shownMax)
  return explainGrant({ grant, entries, count })
}

const isOf = (owned: EntryOfAccount | GrantOfAccount, scope: Scope): boolean =>
  owned.businessId === scope.businessId && owned.mode === scope.mode

/** Which charge a usage entry settled; null for entries of commands and boundaries. */
function chargeOf(entry: EntryOfAccount): ChargeKey | null {
  const { referenceType, referenceId } = entry
  const { routeId, cycleAt, measured } = usageInputs(entry) ?? {}
  if (referenceType !== 'meter' || referenceId === null || measured === undefined) return null
  if (routeId === undefined || cycleAt === undefined) return null
  return { routeId, meterId: referenceId, cycleAt }
}

interface Covered {
  readonly entry: EntryOfAccount
  readonly charge: ChargeKey
  readonly settling: Settling
}

/** Walks the cycle's events up to the settling: it covers those since the settling before it. */
async function coveredBy(
  needs: ExplainNeeds,
  { entry, charge, settling }: Covered,
): Promise<CoveredUsage | null> {
  const scope = { businessId: entry.businessId, mode: entry.mode }
  const { customerId, entitlementId } = entry
  const { routeId, cycleAt } = charge
  const found = await needs.meters.get(scope, charge.meterId)
  const routing = await needs.explanations.routing(scope, customerId, settling.upTo)
  const routingAt = routingThroughTime(routing.changes)
  const stretches = await needs.explanations.stretches(scope, routeId)
  const cycle = segmentAt(stretches, cycleAt)?.cycle
  const [view] = await needs.accounts.load([{ ...scope, customerId, entitlementId }])
  if (found === null || cycle === undefined || view?.entitlement == null) return null
  const usage = { meter: catalogMeter(found), routeId, entitlementId, cycleAt }
  const voided = await needs.voids.ofCustomer(scope, customerId)
  // An entry that was made before the void still counted the event.
  const isVoided = (event: EventName) => {
    const found = voided.get(eventNameText(event))
    return found !== undefined && !found.pending && found.at <= entry.createdAt
  }
  const contribute = contributions(usage, routingAt, isVoided)
  const takenBack = takenBackIn(settling, {
    at: entry.createdAt,
    voided,
    contributed: contributions(usage, routingAt),
  })
  const [before, after, shown] = [segmentFolds(usage), segmentFolds(usage), firstOf(shownMax)]
  const { eventName } = found
  const { backfillMax } = needs
  const walk = {
    ...walkOf(scope, { customerId, eventName, cycles: [cycle], backfillMax }),
    wants: (partition: number, offset: number) => isCovered({ partition, offset }, settling.upTo),
  }
  const { complete } = await walkEvents(needs, walk, (placed) => {
    const part = contribute(placed)
    if (part === null) return takenBack.offer(placed)
    after.add(placed, part)
    if (settling.since !== null && isCovered(placed.place, settling.since)) before.add(placed, part)
    else shown.offer(placed, part.quantity)
  })
  const { precision } = view.entitlement
  const worthOf = (folds: typeof after.folds, of: readonly Stretch[]) =>
    explainWorth(termed(folds, of, usage), precision)
  const worth = worthOf(after.folds, stretches)
  // Else some of the usage that was charged is no longer kept.
  const whole = formatCredits(worth.worth, precision) === usageInputs(entry)?.worthAfter
  return {
    routeId,
    count: shown.count(),
    first: shown.items(),
    takenBack: takenBack.found(),
    complete: complete && routing.complete && whole,
    before: whole ? worthOf(before.folds, stretches) : null,
    after: whole ? worth : null,
  }
}

/**
 * Events that the settling before had seen, and that were voided between the two settlings. A
 * pending void has taken nothing back yet.
 */
function takenBackIn(
  { since, sinceAt }: Settling,
  of: {
    readonly at: Instant
    readonly voided: ReadonlyMap<string, Void>
    readonly contributed: (placed: PlacedEvent) => object | null
  },
) {
  const first: TakenBack[] = []
  let count = 0
  return { offer, found: () => ({ count, first }) }

  function offer(placed: PlacedEvent): void {
    const found = of.voided.get(eventNameText(placed.event))
    if (found === undefined || found.pending || since === null || sinceAt === null) return
    if (found.at < sinceAt || found.at > of.at || !isCovered(placed.place, since)) return
    if (of.contributed(placed) === null) return
    count += 1
    if (first.length < shownMax)
      first.push({ eventId: placed.event.eventId, at: found.at, reason: found.reason })
  }
}

/** Keeps the first events in order of receipt, and counts all that are offered. */
function firstOf(max: number) {
  let kept: { readonly placed: PlacedEvent; readonly quantity: Usage }[] = []
  let count = 0
  return { offer, count: () => count, items }

  function offer(placed: PlacedEvent, quantity: Usage): void {
    count += 1
    kept.push({ placed, quantity })
    if (kept.length >= max * 20) settle()
  }

  function settle(): void {
    kept = kept.toSorted((a, b) => compareReceipt(a.placed.place, b.placed.place)).slice(0, max)
  }

  function items(): readonly CoveredEvent[] {
    settle()
    return kept.map(({ placed, quantity }) => ({
      eventId: placed.event.eventId,
      place: placed.place,
      quantity: formatDecimal(quantity, limits.usageScale),
    }))
  }
}
