import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import {
  foldedSubscription,
  manyChangesRejection,
} from '../../../../src/rules/commerce/subscriptions/folding.ts'
import { paused, resumed } from '../../../../src/rules/commerce/subscriptions/lifecycle.ts'
import type { Subscription } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { after, hour, instantOf, minute } from '../../../../src/std/instant.ts'
import { on, running } from './subscribed.ts'

const begun = { at: on('2026-04-10'), log: on('2020-01-01') }
const later = (since: number) => ({ at: after(begun.at, since), log: after(begun.log, since) })

/** Paused for a minute, each hour of so many. */
const pausedFor = (hours: number, subscription: Subscription = running): Subscription =>
  Array.from({ length: hours }, (_, index) => index * hour).reduce(
    (each, since) => resumed(paused(each, later(since)), later(since + minute)),
    subscription,
  )

describe('a subscription that changes much', () => {
  it('keeps the pauses that something may still be measured in, by log time', () => {
    const { pauses } = foldedSubscription(pausedFor(10), later(7 * hour)).row
    expect(pauses.map(({ from }) => (from - begun.log) / hour)).toEqual([7, 8, 9])
    // The business's clock may be years ahead: the log knows nothing of that.
    const early = { ...later(7 * hour), log: begun.log }
    expect(foldedSubscription(pausedFor(10), early).row.pauses).toHaveLength(10)
  })

  it('keeps the pause that it is in, however long that lasts', () => {
    const still = paused(running, begun)
    expect(foldedSubscription(still, later(99 * 24 * hour)).row.pauses).toEqual(still.pauses)
  })

  it('keeps the open cycle of a paused one, though its end has passed: resuming moves it', () => {
    const { nextBillingDate: end, previousBillingDate: start, stretches } = running
    const [first] = stretches
    if (first === undefined) throw new Error('It has terms.')
    const changed = {
      ...first,
      from: instantOf(start + hour),
      anchor: start,
      cycle: { start, end },
    }
    const still = {
      ...paused(running, begun),
      stretches: [first, changed, { ...first, from: end, anchor: end }],
    }
    const late = instantOf(end + 40 * 24 * hour)
    expect(foldedSubscription(still, { at: late, log: late }).over).toEqual([])
    expect(
      foldedSubscription({ ...still, previousBillingDate: end }, { at: late, log: late }).over,
    ).toHaveLength(1)
  })

  it('is refused once more than so many are at hand, until they are over', () => {
    const full = pausedFor(limits.subscriptionChangesMax)
    const more = paused(full, later(limits.subscriptionChangesMax * hour))
    expect(manyChangesRejection(full, more)).toMatchObject({ code: 'CONFLICT' })
    const folded = foldedSubscription(more, later(limits.subscriptionChangesMax * hour)).row
    expect(manyChangesRejection(full, folded)).toBeNull()
    // Ending a pause adds none.
    expect(manyChangesRejection(more, resumed(more, later(1_000 * hour)))).toBeNull()
  })
})
