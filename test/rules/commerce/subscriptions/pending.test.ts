import { describe, expect, it } from 'vitest'
import { activated, pending } from '../../../../src/rules/commerce/subscriptions/pending.ts'
import type { Subscription } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { isRejection } from '../../../../src/rules/commerce/subscriptions/subscription-rejection.ts'
import type { SubscriptionPatch } from '../../../../src/rules/commerce/subscriptions/update.ts'
import { updatedBy } from '../../../../src/rules/commerce/subscriptions/update.ts'
import { date, on, running } from './subscribed.ts'

const began = { ...running, createdAt: on('2026-04-10'), activatedAt: on('2026-04-10') }
const waiting = pending(running)
const time = { at: on('2026-04-02'), log: on('2020-01-01'), precisions: new Map() }

function changed(patch: SubscriptionPatch): Subscription {
  const change = updatedBy(patch, waiting, time)
  if (isRejection(change)) throw new Error(change.problem)
  return change.after
}

describe('a subscription that waits for its first payment [subscriptions#pending]', () => {
  it('begins with the cancellation that was asked for meanwhile', () => {
    const asked = { cancelAtNextBillingDate: true, cancellationComment: 'one is enough' }
    expect(activated(changed(asked), began).cancellation).toMatchObject({
      scheduled: true,
      comment: 'one is enough',
    })
  })

  it('begins with the longer period, which is counted from then', () => {
    const begun = activated(changed({ periodCount: 2 }), began)
    expect(begun.period).toEqual({ count: 2, interval: 'Year' })
    expect(date(begun.expiresAt)).toBe('2028-04-10')
  })

  it('has no settings of credits to change, since its first credits are not given yet', () => {
    const cart = [{ creditEntitlementId: 'cde_1', rolloverPercentage: 50 }]
    expect(updatedBy({ cart }, waiting, time)).toMatchObject({ code: 'SUBSCRIPTION_INACTIVE' })
  })
})
