import { command, credit, debit, governing, settled, touch } from './account.ts'
import { nextBoundary, sweep } from './boundaries.ts'
import { cancel, cancelAtEnd, pause, resume } from './lifecycle.ts'
import { balanceOf } from './placing.ts'
import type { Call, Program, Settings, Step } from './program.ts'
import type { ModelBooks, ModelEvent, ModelState, ModelSubscription } from './state.ts'
import { recart, redate, replan, subscribe, unschedule } from './subscriptions.ts'
import { counted } from './usage.ts'

/** 2026-01-30T12:00:00Z: the end of a short month is near. */
export const beginning = Date.UTC(2026, 0, 30, 12) / 1_000

export function begin({ entitlement, defaults, aggregations, plans }: Program): ModelState {
  const totals = {
    ...{ granted: 0, rolled: 0, consumed: 0, incurred: 0, droppedBefore: 0, debited: 0, billed: 0 },
    ...{ unreturnedBefore: 0, repaid: 0, forgiven: 0, expired: 0, forfeited: 0 },
  }
  return {
    ...{ now: beginning, plans, aggregations, entitlement, events: 0 },
    ...{ subscriptions: [], waiting: [], measured: [], worthAtBase: {}, month: null, answers: [] },
    defaults: [{ from: 0, rates: defaults }],
    base: { grants: [], made: 0, overage: 0, dropped: 0, unreturned: 0, totals },
  }
}

/** No two steps have one moment: each takes a second, and each call of a race another. */
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

function measure(state: ModelState): void {
  for (const event of state.waiting) {
    const taken = counted(state, event)
    if (taken === null) continue
    state.measured.push(taken)
    touch(state, taken.route === 'defaults' ? Math.min(taken.cycle, state.now) : state.now)
  }
  state.waiting = []
}

/** A call that may say by number which subscription it is about. */
export type Addressed = Call & { readonly number?: number | null }

/** Says whether it was let in. */
export function call(state: ModelState, next: Addressed): void {
  state.answers.push(`${next.kind} ${isLetIn(state, next) ? 'done' : 'refused'}`)
}

function isLetIn(state: ModelState, next: Addressed): boolean {
  switch (next.kind) {
    case 'credit':
      credit(state, next)
      return true
    case 'debit':
      return debit(state, next.amount)
    case 'subscribe':
      return subscribe(state, next)
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

/** The one of those that are not over that a step names; null where all are. */
export function living(state: ModelState, which: number): ModelSubscription | null {
  const all = state.subscriptions.filter(({ ended }) => ended === null)
  return all[which % all.length] ?? null
}

function change(
  state: ModelState,
  subscription: ModelSubscription,
  next: Extract<Call, { readonly which: number }>,
): boolean {
  switch (next.kind) {
    case 'replan':
      return replan(state, subscription, next)
    case 'unschedule':
      return unschedule(subscription)
    case 'pause':
      return pause(state, subscription)
    case 'resume':
      return resume(state, subscription)
    case 'cancel':
      return cancel(state, subscription)
    case 'cancelAtEnd':
      return cancelAtEnd(subscription)
    case 'redate': {
      return redate(state, subscription, newEnd(state, subscription, next.days))
    }
    case 'recart':
      return recart(state, subscription, next.patch)
  }
}

/** Without days: to the end of another's cycle, so that two ends are one moment. */
function newEnd(state: ModelState, subscription: ModelSubscription, days: number): number {
  const other = state.subscriptions.find(
    (each) => each !== subscription && each.status === 'active' && each.end > state.now,
  )
  if (days === 0) return other?.end ?? subscription.end + 1
  return Math.max(subscription.end + days * 86_400, state.now + 3_600)
}

/** What was used so far was used under the old terms. */
function reterm(state: ModelState, settings: Settings): void {
  const was = state.entitlement
  const same =
    was.overage === settings.overage &&
    was.limit === settings.limit &&
    was.behavior === settings.behavior
  if (!same && governing(state) === null) command(state)
  state.entitlement = settings
}

/** What is compared with the real thing. */
export function outcomeOf(state: ModelState) {
  const books = settled(state)
  return {
    balance: balanceOf(books, state.now),
    ...{ overage: books.overage, dropped: books.dropped, unreturned: books.unreturned },
    grants: books.grants.map((grant) => ({
      ...{ source: grant.source, of: grant.of, parent: grant.parent, count: grant.count },
      ...{ initial: grant.initial, remaining: grant.remaining, drawn: grant.drawn },
      ...{ cycle: grant.cycle, endsAt: grant.endsAt, createdAt: grant.createdAt },
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
