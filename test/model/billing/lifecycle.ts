import { command } from './account.ts'
import { moveEnd } from './schedule.ts'
import type { ModelBooks, ModelState, ModelSubscription } from './state.ts'
import { concernsCredits, isInTrial, moveGrants } from './subscriptions.ts'

/** Each answers whether it was let in. [contract B.5, D.11] */

export function pause(state: ModelState, subscription: ModelSubscription): boolean {
  const { status, end } = subscription
  if (status === 'paused') return true
  if (status !== 'active' || end <= state.now) return false
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

/** Goes on where it stood: everything to come is later by the pause. */
export function resume(state: ModelState, subscription: ModelSubscription): boolean {
  const { status, pausedAt, end: old } = subscription
  if (status === 'active') return true
  if (status !== 'paused' || pausedAt === null) return false
  const end = old + state.now - pausedAt
  const trial = isInTrial(subscription)
  act(state, subscription, (books) =>
    moveGrants(books, subscription, { cycle: old, to: end, end, trial }),
  )
  moveEnd(subscription, end)
  subscription.periodEnd += state.now - pausedAt
  subscription.status = 'active'
  subscription.pausedAt = null
  subscription.pauses = subscription.pauses.map(({ from, to }) => ({ from, to: to ?? state.now }))
  return true
}

/** At once: what was granted lives on to its own end. */
export function cancel(state: ModelState, subscription: ModelSubscription): boolean {
  const { status, pausedAt, end } = subscription
  if (status === 'cancelled') return true
  if (status !== 'active' && status !== 'paused') return false
  if (status === 'active' && end <= state.now) return false
  const ends = pausedAt === null ? end : end + state.now - pausedAt
  const trial = pausedAt !== null && isInTrial(subscription)
  act(state, subscription, (books) =>
    moveGrants(books, subscription, { cycle: end, to: end, end: ends, trial }),
  )
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
