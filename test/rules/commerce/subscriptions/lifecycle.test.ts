import { describe, expect, it } from 'vitest'
import {
  billedAt,
  cancelled,
  expired,
  isInTrial,
  paused,
  resumed,
} from '../../../../src/rules/commerce/subscriptions/lifecycle.ts'
import { renewed } from '../../../../src/rules/commerce/subscriptions/renewal.ts'
import type { Subscription } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { notCancelled } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { on, running } from './subscribed.ts'

const now = { at: on('2026-04-10'), log: on('2020-01-01') }
const later = { at: on('2026-04-20'), log: on('2020-01-05') }

describe('a change of a subscription', () => {
  it.each<[string, Subscription]>([
    ['pause', paused(running, now)],
    ['cancellation', cancelled(running, now)],
    ['expiry', expired(running, now)],
    ['billing date', billedAt(running, on('2026-05-20'), now.at)],
  ])('is a version of its own, at its time: a %s', (_, changed) => {
    expect(changed).toMatchObject({ version: running.version + 1, updatedAt: now.at })
  })

  it('pauses at its time, in the business’s time and in that of the log', () => {
    const still = paused({ ...running, pauses: [{ from: on('2019-01-01'), to: now.log }] }, now)
    expect(still).toMatchObject({ pausedAt: now.at, ended: null })
    expect(still.pauses).toEqual([
      { from: on('2019-01-01'), to: now.log },
      { from: now.log, to: null },
    ])
    const again = resumed(still, later)
    expect(again.pauses).toEqual([
      { from: on('2019-01-01'), to: now.log },
      { from: now.log, to: later.log },
    ])
    expect(again).toMatchObject({ version: running.version + 2, updatedAt: later.at })
    // Log time may have stepped back meanwhile; even then a range does not end before it begins.
    expect(resumed(still, { ...later, log: on('2019-12-31') }).pauses[1]).toEqual({
      from: now.log,
      to: now.log,
    })
  })

  it('stands still for no time at all without moving anything', () => {
    const again = resumed(paused(running, now), { ...now, log: later.log })
    const { nextBillingDate, expiresAt, stretches } = running
    expect(again).toMatchObject({ nextBillingDate, expiresAt, stretches })
    expect(resumed({ ...paused(running, now), expiresAt: null }, later).expiresAt).toBeNull()
  })

  it('ends everything that waits', () => {
    const asked = { ...running, cancellation: { ...notCancelled, scheduled: true, comment: 'no' } }
    const over = cancelled(paused(asked, now), later)
    expect(over).toMatchObject({
      status: 'cancelled',
      ended: later.log,
      cancelledAt: later.at,
      pausedAt: null,
      cancellation: { scheduled: false, comment: 'no' },
    })
    expect(expired(asked, later)).toMatchObject({ status: 'expired', cancelledAt: null })
  })
})

describe('a trial [subscriptions#trials]', () => {
  it('is the first cycle, of a subscription that has one', () => {
    const first = { ...running, previousBillingDate: on('2026-01-31') }
    expect(isInTrial({ ...first, trialPeriodDays: 7 })).toBe(true)
    expect(isInTrial(first)).toBe(false)
    expect(isInTrial({ ...running, trialPeriodDays: 7 })).toBe(false)
  })
})

describe('a renewal', () => {
  it('is a version of its own, and forgets what left with the cycle before', () => {
    const next = renewed({ ...running, leaving: running.cart, owed: 3_500 }, later.log)
    expect(next).toMatchObject({
      version: running.version + 1,
      updatedAt: running.nextBillingDate,
      leaving: [],
      // What it charges, and what pays for that, is decided apart from it.
      owed: 3_500,
      previousBillingDate: running.nextBillingDate,
      ended: null,
    })
  })
})
