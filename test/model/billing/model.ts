import { command, credit, debit, endAfter, governing, settled, touch } from './account.ts'
import { applyFirst, nextBoundary, sweep } from './boundaries.ts'
import { cancel, cancelAtEnd, pause, resume } from './lifecycle.ts'
import { balanceOf } from './placing.ts'
import type { Call, Program, Settings, Step } from './program.ts'
import type { ModelBooks, ModelEvent, ModelState, ModelSubscription } from './state.ts'
import {
  concernsCredits,
  isDueToEnd,
  planAt,
  recart,
  redate,
  replan,
  subscribe,
  termsOf,
  unschedule,
} from './subscriptions.ts'
import { counted } from './usage.ts'

/** 2026-01-30T12:00:00Z, so that the end of a short month is near. */
export const beginning = Date.UTC(2026, 0, 30, 12) / 1_000

export function begin({ entitlement, defaults, aggregations, plans }: Program): ModelState {
  const totals = {
    granted: 0,
    rolled: 0,
    consumed: 0,
    incurred: 0,
    droppedBefore: 0,
    debited: 0,
    billed: 0,
    unreturnedBefore: 0,
    repaid: 0,
    forgiven: 0,
    expired: 0,
    forfeited: 0,
  }
  return {
    now: beginning,
    plans,
    aggregations,
    entitlement,
    events: 0,
    ...{
      subscriptions: [],
      waiting: [],
      measured: [],
      worthAtBase: {},
      month: null,
      accountAt: 0,
      touched: { account: false, subscription: null },
      answers: [],
    },
    defaults: [{ from: 0, rates: defaults }],
    base: { grants: [], made: 0, overage: 0, dropped: 0, unreturned: 0, totals },
  }
}

/**
 * Each step takes a second, and each call of a race another one: no two happen at the same moment.
 */
export function step(state: ModelState, next: Step): void {
  state.now += 1
  switch (next.kind) {
    case 'use':
      state.waiting.push(eventOf(state, next))
      return
    case 'measure':
      measure(state)
      return
    case 'void':
      state.measured = state.measured.filter(
        (_, index) => index !== next.which % state.measured.length,
      )
      return
    case 'later':
      state.now += next.seconds
      return
    case 'toBoundary':
      state.now = Math.max(state.now, (nextBoundary(state) ?? state.now) + next.seconds)
      return
    case 'sweep':
      measure(state)
      sweep(state)
      return
    case 'settle':
      return
    case 'race':
      throw new Error('a race has many outcomes')
    default:
      call(state, next)
  }
}

function eventOf(state: ModelState, use: Step & { readonly kind: 'use' }): ModelEvent {
  const { meter, quantity, lead } = use
  state.events += 1
  const received = state.now
  return { id: state.events, meter, quantity, timestamp: received + lead, received }
}

export function measure(state: ModelState): void {
  for (const event of state.waiting) {
    const taken = counted(state, event)
    if (taken === null) continue
    state.measured.push(taken)
    // The account is made at the first moment that is due; its month then opens in its turn.
    const made = Math.min(state.now, nextBoundary(state) ?? state.now)
    touch(state, taken.route === 'defaults' ? Math.min(taken.cycle, made) : made)
  }
  state.waiting = []
}

/**
 * A call with what its caller said before it was held back: the number of the subscription that it
 * is about, and when the grant that it makes ends.
 */
export type Addressed = Call & { readonly number?: number | null; readonly endsAt?: number | null }

/** Makes a call, and notes whether it was let in. */
export function call(state: ModelState, next: Addressed): void {
  state.touched = { account: false, subscription: null }
  const letIn = isLetIn(state, next)
  state.answers.push(`${next.kind} ${letIn ? 'done' : 'refused'}`)
  const { account, subscription } = state.touched
  if (letIn && account) state.accountAt = state.now
  const changed = state.subscriptions[subscription ?? -1]
  if (letIn && changed !== undefined) changed.changedAt = state.now
}

function isLetIn(state: ModelState, next: Addressed): boolean {
  switch (next.kind) {
    case 'credit': {
      // The call names the moment of the end, however late it is decided.
      const endsAt = next.endsAt ?? (next.days === null ? null : endAfter(next.days, state.now))
      if (!comesAfter(state, { credits: () => true })) return false
      return credit(state, { amount: next.amount, endsAt })
    }
    case 'debit':
      return comesAfter(state, { credits: () => true }) && debit(state, next.amount)
    case 'subscribe': {
      const carries = termsOf(planAt(state, next.plan), state.entitlement) !== null
      const fits = (): boolean => next.trialDays <= planAt(state, next.plan).periodDays
      return comesAfter(state, { fits, credits: () => carries }) && subscribe(state, next)
    }
    case 'reterm':
      reterm(state, next.settings)
      return true
    case 'relink':
      state.defaults = [
        ...state.defaults.filter(({ from }) => from < state.now),
        { from: state.now, rates: next.rates },
      ]
      return true
    default: {
      const subscription =
        next.number === undefined
          ? living(state, next.which)
          : (state.subscriptions[next.number ?? -1] ?? null)
      return subscription !== null && change(state, subscription, next)
    }
  }
}

/**
 * Applies what is due on what a call touches, which waits for usage that was received before it.
 * The call happens then, but never before the last change of what it touches. False: it is refused.
 * [subscriptions#the-time-of-a-command]
 */
function comesAfter(
  state: ModelState,
  it: {
    /** Whether it touches the account. */
    readonly credits: () => boolean
    readonly subscription?: ModelSubscription
    /** What must be true of the subscription for it. */
    readonly fits?: () => boolean
  },
): boolean {
  const { subscription } = it
  for (;;) {
    if (it.fits?.() === false) return false
    const account = it.credits() ? state.accountAt : 0
    const at = Math.max(state.now, account, subscription?.changedAt ?? 0)
    const own = subscription?.status === 'active' && isDueToEnd(at, subscription)
    const any = it.credits() && (nextBoundary(state) ?? at + 1) <= at
    if (!own && !any) {
      state.touched = { account: it.credits(), subscription: subscription?.number ?? null }
      state.now = at
      return true
    }
    // What another process's clock has reached, this one's must reach first.
    if (!applyFirst(state)) return false
  }
}

/** The subscription that a step names among those that live; null where none lives. */
export function living(state: ModelState, which: number): ModelSubscription | null {
  const all = state.subscriptions.filter(({ ended }) => ended === null)
  return all[which % all.length] ?? null
}

function change(
  state: ModelState,
  subscription: ModelSubscription,
  next: Extract<Call, { readonly which: number }>,
): boolean {
  const end = next.kind === 'redate' ? newEnd(state, subscription, next.days) : 0
  const carried = (): boolean => concernsCredits(subscription)
  switch (next.kind) {
    case 'replan': {
      const fits = (): boolean => subscription.status === 'active' && !subscription.cancelsAtEnd
      const terms = termsOf(planAt(state, next.plan), state.entitlement)
      const credits = (): boolean => next.mode !== 'at_the_end' && (terms !== null || carried())
      return comesAfter(state, { subscription, fits, credits }) && replan(state, subscription, next)
    }
    case 'unschedule': {
      const fits = (): boolean => subscription.scheduled !== null
      const after = comesAfter(state, { subscription, fits, credits: () => false })
      return after && unschedule(subscription)
    }
    case 'cancelAtEnd':
      return comesAfter(state, { subscription, credits: () => false }) && cancelAtEnd(subscription)
    case 'pause':
      return comesAfter(state, { subscription, credits: carried }) && pause(state, subscription)
    case 'resume':
      return comesAfter(state, { subscription, credits: carried }) && resume(state, subscription)
    case 'cancel':
      return comesAfter(state, { subscription, credits: carried }) && cancel(state, subscription)
    case 'redate':
      return (
        comesAfter(state, { subscription, credits: carried }) && redate(state, subscription, end)
      )
    case 'recart':
      return (
        comesAfter(state, { subscription, credits: carried }) &&
        recart(state, subscription, next.patch)
      )
  }
}

/**
 * The new date. Without `days` it is the end of another subscription's cycle, so that two ends are
 * at the same moment.
 */
function newEnd(state: ModelState, subscription: ModelSubscription, days: number): number {
  const other = state.subscriptions.find(
    (each) => each !== subscription && each.status === 'active' && each.end > state.now,
  )
  if (days === 0) return other?.end ?? subscription.end + 1
  return Math.max(subscription.end + days * 86_400, state.now + 3_600)
}

/** Changes an entitlement's terms; what was used until now was used under the old ones. */
function reterm(state: ModelState, settings: Settings): void {
  const was = state.entitlement
  const same =
    was.overage === settings.overage &&
    was.limit === settings.limit &&
    was.behavior === settings.behavior
  if (!same && governing(state) === null) command(state)
  state.entitlement = settings
}

/** What is compared with the real books. */
export function outcomeOf(state: ModelState) {
  const books = settled(state)
  return {
    balance: balanceOf(books, state.now),
    overage: books.overage,
    dropped: books.dropped,
    unreturned: books.unreturned,
    grants: books.grants.map((grant) => ({
      source: grant.source,
      of: grant.of,
      parent: grant.parent,
      count: grant.count,
      initial: grant.initial,
      remaining: grant.remaining,
      drawn: grant.drawn,
      cycle: grant.cycle,
      endsAt: grant.endsAt,
      createdAt: grant.createdAt,
    })),
    subscriptions: state.subscriptions.map(({ status, start, end }) => ({ status, start, end })),
    answers: state.answers,
    totals: totalsOf(books),
  }
}

export type Outcome = ReturnType<typeof outcomeOf>

function totalsOf({ totals, dropped, unreturned }: ModelBooks) {
  const { droppedBefore, unreturnedBefore, ...rest } = totals
  const all = { dropped: droppedBefore + dropped, unreturned: unreturnedBefore + unreturned }
  return { ...rest, ...all }
}
