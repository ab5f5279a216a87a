import type { ModelGrant, ModelSubscription, MoneyState } from './state.ts'
import { at, isDone, seconds } from './state.ts'

/**
 * A cycle comes to its end, or is cut by a change that begins another: by the terms that the plan
 * had, what is left of its credits rolls over, and so do those that have rolled before and are due;
 * the rest ends. [credits#cycle-end, credits#rollover]
 */
export function endCredits(state: MoneyState, subscription: ModelSubscription): void {
  const number = state.subscriptions.indexOf(subscription)
  const ending = state.grants.filter(
    (grant) => grant.subscription === number && (grant.ends === null || grant.ends <= state.now),
  )
  for (const grant of ending) roll(state, grant)
  for (const grant of ending) remove(state, grant)
}

/**
 * A grant ends in the middle of a cycle: it rolls again, where it has rolled before and its
 * subscription goes on. [credits#rollover, credits#endings]
 */
export function endGrant(state: MoneyState, grant: ModelGrant): void {
  const of = grant.subscription === null ? null : at(state.subscriptions, grant.subscription)
  if (grant.rolls > 0 && of !== null && !isDone(of)) roll(state, grant)
  remove(state, grant)
}

/** Moves its part to a grant of its own, as long as it has not rolled as often as it may. */
function roll(state: MoneyState, grant: ModelGrant): void {
  const { rollover } = state.world
  const { product } = at(state.subscriptions, grant.subscription ?? -1)
  const terms = product === 'tool' ? null : rollover.terms[product]
  if (terms === null || (terms.most !== null && grant.rolls >= terms.most)) return
  const moved = Math.floor((grant.remaining * terms.percent) / 100)
  if (moved === 0) return
  const ends = rollover.days === null ? null : state.now + rollover.days * seconds.day
  state.grants.push({ ...grant, remaining: moved, rolls: grant.rolls + 1, ends })
}

const remove = ({ grants }: MoneyState, grant: ModelGrant): void =>
  void grants.splice(grants.indexOf(grant), 1)
