import { openUntil } from '../meter/late-usage.ts'
import type { AggregationType } from '../meter/meter.ts'
import type { DefaultLinks, Link, Segment, SubscriptionRoute } from '../meter/route.ts'
import { inActivationOrder, isPausedAt, segmentAt } from '../meter/route.ts'
import type { RoutedMoment, Target } from '../meter/target.ts'
import { targetsAt } from '../meter/target.ts'
import { businessTime, inMachineTime } from './clocks.ts'
import type { PastRouting } from './routing.ts'

export interface RoutedMeter {
  readonly meterId: string
  readonly aggregation: AggregationType
}

/** One subscription or default link that could have taken an event, and why it did or did not. */
export interface RouteChoice {
  readonly kind: 'subscription' | 'default_link'
  readonly routeId: string
  readonly entitlementId: string | null
  readonly taken: boolean
  readonly sentence: string
}

export interface RouteChoices {
  readonly targets: readonly Target[]
  readonly choices: readonly RouteChoice[]
  readonly sentence: string
}

/**
 * Which subscription or link took a customer's usage of a meter at a moment, and why no other did.
 * [meters#who-takes-the-usage]
 */
export function routeChoices(
  meter: RoutedMeter,
  routing: PastRouting,
  moment: RoutedMoment,
): RouteChoices {
  const { routes, links } = routing
  const group = { businessId: '', mode: 'test' as const, customerId: '', ...meter }
  const targets = targetsAt({ group, routes, links }, moment)
  const context = { meter, moment, targets }
  const choices = [
    ...inActivationOrder(routes).flatMap((route) => ofSubscription(route, context)),
    ...links.flatMap((link) => ofLinks(link, context)),
  ]
  return { targets, choices, sentence: summary(targets, choices) }
}

function summary(targets: readonly Target[], choices: readonly RouteChoice[]): string {
  if (targets.length > 0) {
    const taken = choices.filter((choice) => choice.taken)
    return taken.map(({ sentence }) => sentence).join(' ')
  }
  if (choices.length === 0) {
    return 'No route: the customer had no subscription, and no credit entitlement links the meter by default.'
  }
  return `No route took it. ${choices.map(({ sentence }) => sentence).join(' ')}`
}

interface Context {
  readonly meter: RoutedMeter
  readonly moment: RoutedMoment
  readonly targets: readonly Target[]
}

function ofSubscription(
  route: SubscriptionRoute,
  { meter, moment, targets }: Context,
): readonly RouteChoice[] {
  const name = `Subscription ${route.routeId}`
  const left = (sentence: string): readonly RouteChoice[] => [
    {
      kind: 'subscription',
      routeId: route.routeId,
      entitlementId: null,
      taken: false,
      sentence: `${name} ${sentence}`,
    },
  ]
  if (route.ended !== null && moment.receivedAt >= route.ended) {
    return left(`had ended at ${inMachineTime(route.ended)}, before the event was received.`)
  }
  if (isPausedAt(route, moment.receivedAt)) return left('was paused when the event was received.')
  const segment = segmentAt(route.stretches, moment.timestamp)
  if (segment === null) return left('begins more than 5 minutes after the timestamp of the event.')
  const carried = linksTo(segment, meter.meterId)
  if (carried.length === 0) return left('does not carry the meter.')
  return carried.map(({ entitlementId }) => {
    const taker = targets.find((target) => target.entitlementId === entitlementId)
    const taken = taker?.routeId === route.routeId
    const sentence = taken
      ? `${name} took it: of the live ones that carry the meter it was activated first.${lateText(segment, taker, moment)}`
      : `${name} carries the meter too, but ${taker?.routeId ?? 'another'} was activated earlier.`
    return { kind: 'subscription', routeId: route.routeId, entitlementId, taken, sentence }
  })
}

function ofLinks(
  { entitlementId, stretches }: DefaultLinks,
  { meter, moment, targets }: Context,
): readonly RouteChoice[] {
  if (!stretches.some((stretch) => linksTo(stretch, meter.meterId).length > 0)) return []
  const name = `The default link of ${entitlementId}`
  const choice = { kind: 'default_link' as const, routeId: entitlementId, entitlementId }
  const segment = segmentAt(stretches, moment.timestamp)
  if (segment === null || linksTo(segment, meter.meterId).length === 0) {
    return [{ ...choice, taken: false, sentence: `${name} did not hold at its timestamp.` }]
  }
  const taker = targets.find((target) => target.entitlementId === entitlementId)
  const taken = taker?.routeId === entitlementId
  const holder = taker === undefined ? 'a paused subscription' : `subscription ${taker.routeId}`
  const sentence = taken
    ? `${name} took it: no live subscription of the customer carries this meter and credit.${lateText(segment, taker, moment)}`
    : `${name} stands back: ${holder} carries the meter.`
  return [{ ...choice, taken, sentence }]
}

/** Why usage that is late for its own cycle counts where it does. [meters#late-usage] */
function lateText(own: Segment, { segment }: Target, { backfilledAt }: RoutedMoment): string {
  const { cycle } = own
  if (backfilledAt === undefined || backfilledAt <= openUntil(cycle)) return ''
  const late = `Its own cycle ended at ${businessTime(cycle.end)}, more than an hour before it was received at ${businessTime(backfilledAt)}`
  return segment.cycle.start === cycle.start
    ? ` ${late}, but the terms at that time do not carry the meter: it counts into its own cycle all the same.`
    : ` ${late}: it counts into the cycle of that time.`
}

const linksTo = (of: { readonly links: Segment['links'] }, meterId: string): readonly Link[] =>
  of.links.filter((link) => link.meterId === meterId)
