import { clear, command, endAfter, touch } from './account.ts'
import { cyclesAfter, day } from './calendar.ts'
import { addGrant } from './placing.ts'
import type { CartChange, Plan, PlanMode, Settings, Terms } from './program.ts'
import { moveEnd } from './schedule.ts'
import type { ModelBooks, ModelState, ModelSubscription } from './state.ts'

/** What a plan's credits are under: a null inherits from the entitlement, as it is now. [D.2] */
export function termsOf({ credits }: Plan, entitlement: Settings): Terms | null {
  if (credits === null) return null
  const set = Object.entries(credits.overrides).filter(([, value]) => value !== null)
  const merged: Settings = { ...entitlement, ...Object.fromEntries(set) }
  const limit = merged.limit === null ? null : merged.limit * 10
  return { ...merged, limit, amount: credits.amount }
}

export function subscribe(
  state: ModelState,
  { plan: index, trialDays }: { readonly plan: number; readonly trialDays: number },
): void {
  const { now } = state
  const plan = planAt(state, index)
  const terms = termsOf(plan, state.entitlement)
  const trialEnd = trialDays > 0 ? now + trialDays * day : null
  const subscription: ModelSubscription = {
    ...{ number: state.subscriptions.length, status: 'active', plan, terms, leaving: null },
    ...{ scheduled: null, cancelsAtEnd: false, activatedAt: now, ended: null, pauses: [] },
    ...{ pausedAt: null, start: now, periodEnd: now + plan.periodDays * day, closed: [] },
    end: trialEnd ?? cyclesAfter(now, plan.cycle, 1),
    rates: [{ from: now, rates: plan.rates }],
    counting: { anchor: trialEnd ?? now, cycle: plan.cycle },
  }
  if (terms !== null) {
    touch(state, now)
    // Before it governs: what was used until now was used under the terms until now.
    command(state, (books) => grantFirst(books, subscription, { now, trialEnd }))
  }
  state.subscriptions.push(subscription)
}

/** A trial issues trial credits or none; they end with it, or belong to the first paid cycle. */
function grantFirst(
  books: ModelBooks,
  { number, plan, terms }: ModelSubscription,
  { now, trialEnd }: { readonly now: number; readonly trialEnd: number | null },
): void {
  const { credits } = plan
  if (credits === null || terms === null) return
  const amount = trialEnd === null ? credits.amount : (credits.trialAmount ?? 0)
  if (amount === 0) return
  const own = endAfter(terms.expiresAfterDays, now)
  const ends = trialEnd !== null && credits.trialExpires ? trialEnd : null
  books.totals.granted += amount
  addGrant(books, {
    ...{ source: 'subscription', of: number, parent: null, count: 0, initial: amount },
    ...{ endsWithCycle: false, endsWithTrial: ends !== null, createdAt: now },
    cycle: trialEnd !== null && !credits.trialExpires ? trialEnd : now,
    endsAt: own === null || ends === null ? (own ?? ends) : Math.min(own, ends),
  })
}

export function planAt(state: ModelState, index: number): Plan {
  const plan = state.plans[index % state.plans.length]
  if (plan === undefined) throw new Error('a program without plans')
  return plan
}

/** [contract B.5, D.3] */
export function replan(
  state: ModelState,
  subscription: ModelSubscription,
  of: { readonly plan: number; readonly mode: PlanMode },
): boolean {
  if (subscription.status !== 'active' || subscription.cancelsAtEnd) return false
  if (subscription.end <= state.now) return false
  const plan = planAt(state, of.plan)
  const terms = termsOf(plan, state.entitlement)
  if (of.mode === 'at_the_end') {
    unschedule(subscription)
    subscription.scheduled = { plan, terms }
    subscription.rates.push({ from: subscription.end, rates: plan.rates })
    return true
  }
  const restarts = of.mode === 'full_immediately'
  const concerns = [terms, subscription.terms, subscription.leaving].some((each) => each !== null)
  const change = (books: ModelBooks | null): void =>
    changeNow(state, subscription, { plan, terms, restarts, books })
  if (concerns) command(state, change)
  else change(null)
  return true
}

interface Change {
  readonly plan: Plan
  readonly terms: Terms | null
  readonly restarts: boolean
  readonly books: ModelBooks | null
}

function changeNow(
  state: ModelState,
  subscription: ModelSubscription,
  { plan, terms, restarts, books }: Change,
): void {
  const { now } = state
  const { start, end } = subscription
  const governs = governsBefore(state, subscription)
  unschedule(subscription)
  subscription.leaving = terms === null ? (subscription.terms ?? subscription.leaving) : null
  subscription.rates = [
    ...subscription.rates.filter(({ from }) => from < now),
    { from: now, rates: plan.rates },
  ]
  if (restarts) {
    subscription.closed.push({ start, end: now })
    subscription.start = now
    subscription.end = cyclesAfter(now, plan.cycle, 1)
    subscription.periodEnd = now + plan.periodDays * day
    subscription.counting = { anchor: now, cycle: plan.cycle }
  } else if (!sameCycle(plan, subscription.plan)) {
    subscription.counting = { anchor: end, cycle: plan.cycle }
  }
  subscription.plan = plan
  subscription.terms = terms
  if (books === null) return
  moveGrants(books, subscription, { cycle: end, to: restarts ? now : end, end: subscription.end })
  if (restarts && governs) clear(books)
  issue(state, books, subscription, { left: end - now, of: end - start })
}

const governsBefore = (state: ModelState, subscription: ModelSubscription): boolean =>
  state.subscriptions.find(({ ended, terms }) => ended === null && terms !== null) === subscription

/** The new plan's credits, scaled by what is left of the cycle that the change meets. */
function issue(
  state: ModelState,
  books: ModelBooks,
  { number, plan, terms, start }: ModelSubscription,
  rest: { readonly left: number; readonly of: number },
): void {
  const { credits } = plan
  if (credits === null || terms === null) return
  const amount = credits.prorates ? Math.floor((terms.amount * rest.left) / rest.of) : terms.amount
  if (amount === 0) return
  touch(state, state.now)
  books.totals.granted += amount
  addGrant(books, {
    ...{ source: 'subscription', of: number, parent: null, count: 0, initial: amount },
    ...{ cycle: start, endsWithCycle: false, createdAt: state.now },
    endsAt: endAfter(terms.expiresAfterDays, state.now),
  })
}

const sameCycle = (a: Plan, b: Plan): boolean =>
  a.cycle.count === b.cycle.count && a.cycle.interval === b.cycle.interval

/** What was to follow is taken back; false where nothing waits. */
export function unschedule(subscription: ModelSubscription): boolean {
  const { scheduled, end, rates } = subscription
  if (scheduled === null) return false
  subscription.scheduled = null
  subscription.rates = rates.filter(({ from }) => from < end)
  return true
}

/**
 * Grants of a subscription keep their places around its open cycle. Where the trial moves its end
 * (`trial`), its credits do, or end sooner by their own days. [rulings 20 and 24]
 */
export function moveGrants(
  books: ModelBooks,
  { number, terms, leaving }: ModelSubscription,
  to: MovedCycle,
): void {
  const days = (terms ?? leaving)?.expiresAfterDays ?? null
  for (const grant of books.grants) {
    if (grant.of !== number) continue
    if (grant.cycle === to.cycle) grant.cycle = to.to
    if (grant.endsWithCycle) grant.endsAt = to.end
    if (to.trial !== true || grant.endsWithTrial !== true) continue
    const own = endAfter(days, grant.createdAt)
    grant.endsAt = own === null || to.end === null ? (own ?? to.end) : Math.min(own, to.end)
  }
}

interface MovedCycle {
  readonly cycle: number
  readonly to: number
  readonly end: number | null
  readonly trial?: boolean
}

/** The first cycle; where there is no trial, no credits end with it. */
export const isInTrial = ({ start, activatedAt }: ModelSubscription): boolean =>
  start === activatedAt

/** Whether its accounts have to do with the credits at all. */
export const concernsCredits = ({ terms, leaving }: ModelSubscription): boolean =>
  terms !== null || leaving !== null

export function redate(state: ModelState, subscription: ModelSubscription, end: number): boolean {
  if (subscription.status !== 'active' || subscription.end <= state.now) return false
  const cycle = subscription.end
  const trial = isInTrial(subscription)
  const move = (books: ModelBooks): void =>
    moveGrants(books, subscription, { cycle, to: end, end, trial })
  if (concernsCredits(subscription)) command(state, move)
  moveEnd(subscription, end)
  return true
}

/** The terms that hold from now on; amounts from the next grant on. [contract D.2] */
export function recart(
  state: ModelState,
  subscription: ModelSubscription,
  patch: CartChange,
): boolean {
  const { terms } = subscription
  if (terms === null) return false
  const set = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null))
  const changed: Terms = { ...terms, ...set }
  if (JSON.stringify(changed) === JSON.stringify(terms)) return true
  if (subscription.status === 'active' && subscription.end <= state.now) return false
  command(state)
  subscription.terms = changed
  return true
}
