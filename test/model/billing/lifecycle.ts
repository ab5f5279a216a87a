import { command, governing, overageOf } from './account.ts'
import { cutShort, isInTrial } from './endings.ts'
import { endOfNext, moveEnd } from './schedule.ts'
import type { ModelBooks, ModelState, ModelSubscription } from './state.ts'
import { concernsCredits, moveGrants } from './subscriptions.ts'

// What a subscription may do. Each answers whether it was let in. [resources#subscriptions,
// credits#endings]

export function pause(state: ModelState, subscription: ModelSubscription): boolean {
  const { status, end } = subscription
  if (status === 'paused') return true
  if (status !== 'active') return false
  act(state, subscription, (books) =>
    moveGrants(books, subscription, {
      cycle: end,
      to: end,
      end: null,
      trial: isInTrial(subscription),
    }),
  )
  subscription.status = 'paused'
  subscription.pausedAt = state.now
  subscription.pauses.push({ from: state.now, to: null })
  return true
}

/** Resumes a subscription: all of its dates to come are later by the length of the pause. */
export function resume(state: ModelState, subscription: ModelSubscription): boolean {
  const { status, pausedAt, end: old } = subscription
  if (status === 'active') return true
  if (status !== 'paused' || pausedAt === null) return false
  const end = old + state.now - pausedAt
  const trial = isInTrial(subscription)
  act(state, subscription, (books) =>
    moveGrants(books, subscription, { cycle: old, to: end, end, trial }),
  )
  if (end !== old) moveEnd(subscription, end)
  subscription.periodEnd += state.now - pausedAt
  subscription.status = 'active'
  subscription.pausedAt = null
  subscription.pauses = subscription.pauses.map(({ from, to }) => ({ from, to: to ?? state.now }))
  return true
}

/**
 * Cancels a subscription at once; one that is paused, as if it had gone on. [credits#endings,
 * credits#overage]
 */
export function cancel(state: ModelState, subscription: ModelSubscription): boolean {
  const { status, pausedAt, end } = subscription
  if (status === 'cancelled') return true
  if (status !== 'active' && status !== 'paused') return false
  const open = pausedAt === null ? end : end + state.now - pausedAt
  const closes = governing(state) === subscription ? overageOf(state).behavior : null
  const trial = pausedAt !== null && isInTrial(subscription)
  act(state, subscription, (books) => {
    if (pausedAt !== null) {
      moveGrants(books, subscription, { cycle: end, to: open, end: open, trial })
    }
    const going = structuredClone(subscription)
    if (open !== end) moveEnd(going, open)
    const ends = { open, next: endOfNext(going, open) }
    cutShort(books, subscription, { ends, closes })
  })
  subscription.status = 'cancelled'
  subscription.ended = state.now
  subscription.pausedAt = null
  subscription.scheduled = null
  subscription.cancelsAtEnd = false
  return true
}

export function cancelAtEnd(subscription: ModelSubscription): boolean {
  if (subscription.status === 'cancelled' || subscription.status === 'expired') return false
  subscription.cancelsAtEnd = true
  return true
}

function act(
  state: ModelState,
  subscription: ModelSubscription,
  change: (books: ModelBooks) => void,
): void {
  if (concernsCredits(subscription)) command(state, change)
}
