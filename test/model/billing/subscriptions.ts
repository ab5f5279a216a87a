import { command, endAfter, governing, overageOf, touch } from './account.ts'
import { cyclesAfter, day } from './calendar.ts'
import { closeCycle, closeOverage, isInTrial } from './endings.ts'
import { addGrant } from './placing.ts'
import type { CartChange, Plan, PlanMode, Settings, Terms } from './program.ts'
import { moveEnd } from './schedule.ts'
import type { ModelBooks, ModelState, ModelSubscription } from './state.ts'

/**
 * The terms of a plan's credits: a null inherits the entitlement's setting as it is now.
 * [resources#attached-credits]
 */
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
): boolean {
  const { now } = state
  const plan = planAt(state, index)
  // A trial must not be longer than the period. [subscriptions#endings]
  if (trialDays > plan.periodDays) return false
  const terms = termsOf(plan, state.entitlement)
  const trialEnd = trialDays > 0 ? now + trialDays * day : null
  const subscription: ModelSubscription = {
    number: state.subscriptions.length,
    status: 'active',
    plan,
    terms,
    leaving: null,
    changedAt: now,
    bought: terms,
    scheduled: null,
    cancelsAtEnd: false,
    activatedAt: now,
    ended: null,
    pauses: [],
    hasTrial: trialDays > 0,
    pausedAt: null,
    start: now,
    periodEnd: now + plan.periodDays * day,
    closed: [],
    end: trialEnd ?? cyclesAfter(now, plan.cycle, 1),
    rates: [{ from: now, rates: plan.rates }],
    counting: { anchor: trialEnd ?? now, cycle: plan.cycle },
  }
  if (terms !== null) {
    touch(state, now)
    // First of all, since what was used until now was used under the terms until now.
    command(state, (books) => grantFirst(books, subscription, { now, trialEnd }))
  }
  state.subscriptions.push(subscription)
  return true
}

/** Issues the first cycle's credits; in a trial its own, or none. [subscriptions#trials] */
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
    source: 'subscription',
    of: number,
    parent: null,
    count: 0,
    initial: amount,
    endsWithCycle: false,
    endsWithTrial: ends !== null,
    createdAt: now,
    cycle: trialEnd !== null && !credits.trialExpires ? trialEnd : now,
    endsAt: own === null || ends === null ? (own ?? ends) : Math.min(own, ends),
  })
}

export function planAt(state: ModelState, index: number): Plan {
  const plan = state.plans[index % state.plans.length]
  if (plan === undefined) throw new Error('a program without plans')
  return plan
}

/** Changes the plan at once. [resources#subscriptions, credits#grants] */
export function replan(
  state: ModelState,
  subscription: ModelSubscription,
  of: { readonly plan: number; readonly mode: PlanMode },
): boolean {
  if (subscription.status !== 'active' || subscription.cancelsAtEnd) return false
  const plan = planAt(state, of.plan)
  const terms = termsOf(plan, state.entitlement)
  if (of.mode === 'at_the_end') {
    unschedule(subscription)
    subscription.scheduled = { plan, terms }
    subscription.rates.push({ from: subscription.end, rates: plan.rates })
    return true
  }
  const concerns = [terms, subscription.terms, subscription.leaving].some((each) => each !== null)
  const change = of.mode === 'full_immediately' ? restart : goOn
  const act = (books: ModelBooks | null): void =>
    change(state, subscription, { plan, terms, books })
  if (concerns) command(state, act)
  else act(null)
  unschedule(subscription)
  subscription.rates = [
    ...subscription.rates.filter(({ from }) => from < state.now),
    { from: state.now, rates: plan.rates },
  ]
  subscription.plan = plan
  subscription.terms = terms
  subscription.bought = terms
  return true
}

interface Change {
  readonly plan: Plan
  readonly terms: Terms | null
  readonly books: ModelBooks | null
}

/**
 * Ends the open cycle and begins a new one with all of its credits. [credits#overage,
 * subscriptions#trials]
 */
function restart(
  state: ModelState,
  subscription: ModelSubscription,
  { plan, terms, books }: Change,
): void {
  const { now } = state
  const { start, end } = subscription
  const following = cyclesAfter(now, plan.cycle, 1)
  if (books !== null) {
    moveGrants(books, subscription, { cycle: end, to: now, end: now })
    const closes = closingOf(state, subscription)
    const next = isInTrial(subscription) ? trialTerms(plan, terms) : terms
    closeCycle(state, books, subscription, { start, at: now, following, next, closes })
  }
  unschedule(subscription)
  // What was rolled over ends with the cycle that begins now.
  subscription.leaving = terms === null ? subscription.terms : null
  subscription.closed.push({ start, end: now })
  subscription.start = now
  subscription.end = following
  subscription.periodEnd = now + plan.periodDays * day
  subscription.counting = { anchor: now, cycle: plan.cycle }
}

/** Within a trial a new plan issues its trial credits, or none. [subscriptions#trials] */
function trialTerms(plan: Plan, terms: Terms | null): Terms | null {
  const amount = plan.credits?.trialAmount ?? 0
  return terms === null || amount === 0 ? null : { ...terms, amount }
}

/** Changes the plan within the cycle, which keeps its dates and its grants. */
function goOn(
  state: ModelState,
  subscription: ModelSubscription,
  { plan, terms, books }: Change,
): void {
  if (books !== null && terms === null) closeOverage(books, closingOf(state, subscription))
  if (books !== null) issue(state, books, { subscription, plan, terms })
  if (!sameCycle(plan, subscription.plan)) {
    subscription.counting = { anchor: subscription.end, cycle: plan.cycle }
  }
  subscription.leaving = terms === null ? (subscription.terms ?? subscription.leaving) : null
}

const closingOf = (state: ModelState, subscription: ModelSubscription) =>
  governing(state) === subscription ? overageOf(state).behavior : null

/**
 * Issues the new plan's credits, in proportion to what is left of the cycle; within a trial, its
 * trial credits. [credits#grants, subscriptions#trials]
 */
function issue(
  state: ModelState,
  books: ModelBooks,
  of: {
    readonly subscription: ModelSubscription
    readonly plan: Plan
    readonly terms: Terms | null
  },
): void {
  const { number, start, end } = of.subscription
  const { credits } = of.plan
  if (credits === null || of.terms === null) return
  const { now } = state
  const trial = isInTrial(of.subscription)
  const full = trial ? (credits.trialAmount ?? 0) : of.terms.amount
  const amount = credits.prorates ? Math.floor((full * (end - now)) / (end - start)) : full
  if (amount === 0) return
  const own = endAfter(of.terms.expiresAfterDays, now)
  const endsWithTrial = trial && credits.trialExpires
  touch(state, now)
  books.totals.granted += amount
  addGrant(books, {
    source: 'subscription',
    of: number,
    parent: null,
    count: 0,
    initial: amount,
    cycle: trial && !credits.trialExpires ? end : start,
    endsWithCycle: false,
    endsWithTrial,
    createdAt: now,
    endsAt: endsWithTrial ? Math.min(own ?? end, end) : own,
  })
}

const sameCycle = (a: Plan, b: Plan): boolean =>
  a.cycle.count === b.cycle.count && a.cycle.interval === b.cycle.interval

/** Takes back a change that was to follow at the end; false where there is none. */
export function unschedule(subscription: ModelSubscription): boolean {
  const { scheduled, end, rates } = subscription
  if (scheduled === null) return false
  subscription.scheduled = null
  subscription.rates = rates.filter(({ from }) => from < end)
  return true
}

/**
 * Moves a subscription's grants along with its open cycle. Where the trial's end moves (`trial`),
 * its credits end there, or sooner by their own days. [credits#cycle-end, credits#ledger]
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

/** An end that is due is applied before anything else. */
export const isDueToEnd = (at: number, { end, periodEnd }: ModelSubscription): boolean =>
  Math.min(end, periodEnd) <= at

/** Whether the subscription has to do with the credits at all. */
export const concernsCredits = ({ terms, leaving }: ModelSubscription): boolean =>
  terms !== null || leaving !== null

export function redate(state: ModelState, subscription: ModelSubscription, end: number): boolean {
  if (subscription.status !== 'active' || end <= state.now) return false
  if (end > subscription.periodEnd) return false
  const cycle = subscription.end
  const trial = isInTrial(subscription)
  const move = (books: ModelBooks): void =>
    moveGrants(books, subscription, { cycle, to: end, end, trial })
  if (concernsCredits(subscription)) command(state, move)
  moveEnd(subscription, end)
  return true
}

/** Overrides terms from now on, amounts from the next grant on. [resources#attached-credits] */
export function recart(
  state: ModelState,
  subscription: ModelSubscription,
  patch: CartChange,
): boolean {
  const { terms, bought, ended } = subscription
  if (terms === null || bought === null || ended !== null) return false
  const set = Object.entries(patch).map(([key, value]) => [
    key,
    value ?? bought[key as keyof CartChange],
  ])
  const changed: Terms = { ...terms, ...Object.fromEntries(set) }
  if (JSON.stringify(changed) === JSON.stringify(terms)) return true
  command(state)
  subscription.terms = changed
  return true
}
