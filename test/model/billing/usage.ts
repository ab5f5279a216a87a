import { monthOf } from './calendar.ts'
import type { Rate } from './program.ts'
import type { UsagePlace } from './schedule.ts'
import { lastAt, rateOf, segmentOf } from './schedule.ts'
import type { CountedEvent, ModelEvent, ModelState, ModelSubscription, TermsFrom } from './state.ts'

/**
 * Who takes an event: the subscription that was activated first, among those that live and carry
 * the meter. Where all of these are paused, nobody; where there is none, the default links.
 * [meters#who-takes-the-usage, meters#late-usage]
 */
export function counted(state: ModelState, event: ModelEvent): CountedEvent | null {
  let held = false
  for (const subscription of state.subscriptions) {
    if (subscription.ended !== null && event.received >= subscription.ended) continue
    const place = segmentOf(subscription, event.timestamp)
    const carried = lastAt(subscription.rates, Math.max(event.timestamp, subscription.activatedAt))
    if (place === null || carried?.rates[event.meter] == null) continue
    if (!isPaused(subscription, event.received)) {
      const now = segmentOf(subscription, event.received)
      const { cycle, segment } = whereOpen(event, subscription.rates, [place, now])
      return { ...event, route: subscription.number, cycle, segment }
    }
    held = true
  }
  const defaults = lastAt(state.defaults, event.timestamp)
  if (held || defaults === undefined || defaults.rates[event.meter] === null) return null
  const places = [inMonth(state, event.timestamp), inMonth(state, event.received)] as const
  const { cycle, segment } = whereOpen(event, state.defaults, places)
  return { ...event, route: 'defaults', cycle, segment }
}

/** By the time of the event, and by the time of its receipt. */
type Places = readonly [UsagePlace, UsagePlace | null]

/** Late usage keeps its cycle for an hour; then it goes where its meter is tied by now. */
function whereOpen(
  { meter, received }: ModelEvent,
  terms: readonly TermsFrom[],
  [own, now]: Places,
): UsagePlace {
  const isOpenStill = received - own.end <= 3_600
  const tied = lastAt(terms, received)?.rates[meter] != null
  return isOpenStill || now === null || !tied ? own : now
}

function inMonth({ defaults }: ModelState, at: number): UsagePlace {
  const { start, end } = monthOf(at)
  return { cycle: start, segment: Math.max(start, lastAt(defaults, at)?.from ?? 0), end }
}

const isPaused = ({ pauses }: ModelSubscription, received: number): boolean =>
  pauses.some(({ from, to }) => received >= from && (to === null || received < to))

/** What the usage of each meter, route and cycle is worth, of those that may be settled now. */
export function worths(state: ModelState): Record<string, number> {
  const groups = new Map<string, CountedEvent[]>()
  for (const event of state.measured) {
    if (!isOpen(state, event)) continue
    const key = `${event.meter} ${event.route} ${event.cycle}`
    groups.set(key, [...(groups.get(key) ?? []), event])
  }
  return Object.fromEntries([...groups].map(([key, events]) => [key, worthOf(state, events)]))
}

/** A cycle's usage waits until the cycle before it is closed. [machines#boundaries] */
function isOpen(state: ModelState, { route, cycle }: CountedEvent): boolean {
  if (route === 'defaults') return state.month === null || cycle < monthOf(state.month).end
  const subscription = state.subscriptions[route]
  if (subscription === undefined) throw new Error('usage of nobody')
  return subscription.ended !== null || cycle < subscription.end
}

/**
 * The worth of a cycle: for each segment, f(usage up to its end) − f(usage before it) by its own
 * rate. [machines#settling]
 */
function worthOf(state: ModelState, events: readonly CountedEvent[]): number {
  let worth = 0
  for (const segment of [...new Set(events.map((event) => event.segment))].sort((x, y) => x - y)) {
    const [first] = events
    if (first === undefined) throw new Error('a segment without events')
    const rate = rateOf(state, first.route, { meter: first.meter, segment })
    const before = events.filter((event) => event.segment < segment)
    const upTo = events.filter((event) => event.segment <= segment)
    worth += creditsFor(usedBy(state, upTo), rate) - creditsFor(usedBy(state, before), rate)
  }
  return worth
}

/** In tenths of a credit, cut. */
const creditsFor = (used: number, { perTenCredits, free }: Rate): number =>
  Math.floor((Math.max(0, used - free) * 100) / perTenCredits)

function usedBy(state: ModelState, events: readonly CountedEvent[]): number {
  const [first] = events
  if (first === undefined) return 0
  const quantities = events.map((event) => event.quantity)
  switch (state.aggregations[first.meter]) {
    case 'count':
      return events.length
    case 'sum':
      return quantities.reduce((sum, quantity) => sum + quantity, 0)
    case 'max':
      return Math.max(...quantities)
    case 'last':
      return events.toSorted(later).at(-1)?.quantity ?? 0
  }
}

const later = (x: ModelEvent, y: ModelEvent): number =>
  x.timestamp - y.timestamp || x.received - y.received || x.id - y.id
