import { cyclesAfter } from './calendar.ts'
import type { MeterName, Rate } from './program.ts'
import type { ModelState, ModelSubscription, TermsFrom } from './state.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** How many seconds before a subscription's start an event may lie that still counts into it. */
const lead = 300

/** The end of the cycle that begins at `start`, after the open one. */
export function endOfNext(subscription: ModelSubscription, start: number): number {
  const { counting, scheduled, end: from } = subscription
  const { anchor, cycle } =
    scheduled === null ? counting : { anchor: from, cycle: scheduled.plan.cycle }
  for (let times = 1; ; times += 1) {
    const end = cyclesAfter(anchor, cycle, times)
    if (end > start) return end
  }
}

/** Where usage counts: the start of its cycle, of its segment, and the end of the cycle. */
export interface UsagePlace {
  readonly cycle: number
  readonly segment: number
  readonly end: number
}

/** The cycle and the segment of a subscription that hold a timestamp; null before it began. */
export function segmentOf(subscription: ModelSubscription, timestamp: number): UsagePlace | null {
  const { rates, activatedAt } = subscription
  if (timestamp < activatedAt - lead) return null
  const at = Math.max(timestamp, activatedAt)
  const { start: cycle, end } = cycleOf(subscription, at)
  const began = lastAt(rates, at)?.from ?? activatedAt
  return { cycle, segment: Math.max(cycle, began), end }
}

function cycleOf(subscription: ModelSubscription, at: number): Span {
  const { closed, start, end } = subscription
  const past = closed.find((cycle) => at >= cycle.start && at < cycle.end)
  if (past !== undefined) return past
  let open = { start, end }
  while (at >= open.end) open = { start: open.end, end: endOfNext(subscription, open.end) }
  return open
}

export const lastAt = (changes: readonly TermsFrom[], at: number): TermsFrom | undefined =>
  changes.findLast(({ from }) => from <= at)

/** The rate of a segment: by the last terms that began up to it and link the meter. */
export function rateOf(
  state: ModelState,
  route: number | 'defaults',
  of: { readonly meter: MeterName; readonly segment: number },
): Rate {
  const changes = route === 'defaults' ? state.defaults : state.subscriptions[route]?.rates
  const tie = changes?.findLast(({ from, rates }) => from <= of.segment && rates[of.meter] !== null)
  const rate = tie?.rates[of.meter]
  if (rate === undefined || rate === null) throw new Error('usage without terms')
  return rate
}

/** Moves the end of the open cycle; later cycles are counted from there. */
export function moveEnd(subscription: ModelSubscription, end: number): void {
  const old = subscription.end
  subscription.end = end
  subscription.counting = { ...subscription.counting, anchor: end }
  const ahead = subscription.rates.filter(({ from }) => from >= old)
  subscription.rates = [
    ...subscription.rates.filter(({ from }) => from < old && from < end),
    ...ahead.map((change) => ({ ...change, from: end })),
  ]
}
