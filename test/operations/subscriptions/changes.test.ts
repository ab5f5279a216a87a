import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CreditMapping } from '../../../src/rules/commerce/catalog/product.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'
import { scratchSubscription } from './scratch-subscription.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const subscribed = (mapping?: Partial<CreditMapping>, trialPeriodDays?: number) =>
  scratchSubscription(store, mapping, trialPeriodDays)

describe('a plan change [credits#grants]', () => {
  it('issues the credits of what is left of the cycle, times quantity, cut to the precision', async () => {
    const one = await subscribed()
    const next = await one.plan({ creditsAmount: '33.33', prorationBehavior: 'prorate' })
    const silent = { quantity: 4, mode: 'do_not_bill' }
    await one.change(next, later(january, 20 * day), silent)
    // 133.32 × 10 / 30 days
    expect(await one.ledger()).toEqual(['credit_added 100 100', 'credit_added 44.44 144.44'])
    const { quantity, nextBillingDate, cart } = await one.find()
    expect([quantity, nextBillingDate]).toEqual([4, later(january, 30 * day)])
    await one.endCycle(later(january, 30 * day))
    expect((await one.ledger()).slice(2)).toEqual([
      'credit_expired 100 44.44',
      'credit_expired 44.44 0',
      'credit_added 133.32 133.32',
    ])
    expect(cart[0]?.productId).toBe(next)
  })

  it('is met by a renewal that races it: one after the other, nothing twice', async () => {
    const one = await subscribed()
    const next = await one.plan({ creditsAmount: '7' })
    const end = later(january, 30 * day)
    await Promise.all([
      one.endCycle(end),
      one.endCycle(end),
      one.change(next, later(end, -1), { mode: 'do_not_bill' }),
    ])
    const added = (await one.ledger()).filter((line) => line.startsWith('credit_added'))
    expect(added.length).toBe(3)
    expect(await one.find()).toMatchObject({ productId: next })
  })

  it('comes after a cycle end that is due, which keeps its own time [subscriptions#the-time-of-a-command]', async () => {
    const one = await subscribed()
    const end = later(january, 30 * day)
    await one.change(await one.plan({ creditsAmount: '7' }), later(end, day), {
      mode: 'do_not_bill',
    })
    expect(await one.ledger()).toEqual([
      'credit_added 100 100',
      'credit_expired 100 0',
      'credit_added 100 100',
      'credit_added 7 107',
    ])
    const created = (await one.grants()).map((grant) => grant.createdAt)
    expect(created.toReversed()).toEqual([january, end, later(end, day)])
  })

  it('waits for it while usage received before is not measured, credits or not', async () => {
    const one = await subscribed()
    const next = await one.plan({})
    const [at, behind] = [later(january, 30 * day), { patienceMs: 0, measuring: store.measuring }]
    const before = await store.contents()
    await expect(one.change(next, at, {}, behind)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    for (const body of [{ status: 'paused' }, { cancel_at_next_billing_date: true }]) {
      const late = one.update(body, at, null, behind)
      await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
    expect(await store.contents()).toBe(before)
  })
})

describe('rolled credits without a timeframe end with the cycle [credits#rollover]', () => {
  const rolling = { rolloverEnabled: true, rolloverPercentage: 50 }
  const ends = async (one: Awaited<ReturnType<typeof subscribed>>) =>
    (await one.grants()).find((grant) => grant.sourceType === 'rollover')?.expiresAt

  it('wherever its end is moved to, and nowhere while it is paused', async () => {
    const one = await subscribed(rolling)
    const end = later(january, 30 * day)
    await one.endCycle(end)
    expect(await ends(one)).toBe(later(january, 60 * day))
    await one.update({}, later(end, day), later(january, 70 * day))
    expect(await ends(one)).toBe(later(january, 70 * day))
    await one.update({ status: 'paused' }, later(end, 2 * day))
    expect(await ends(one)).toBe(null)
    await one.update({ status: 'active' }, later(end, 7 * day))
    expect(await ends(one)).toBe(later(january, 75 * day))
    await one.endCycle(later(january, 75 * day))
    expect(await one.ledger()).toEqual([
      'credit_added 100 100',
      'credit_rolled_over 50 100',
      'credit_expired 50 50',
      'credit_added 100 150',
      'credit_rolled_over 25 150',
      'credit_rolled_over 50 150',
      'credit_expired 25 125',
      'credit_expired 50 75',
      'credit_added 100 175',
    ])
  })

  it('also those that are rolled again in a pause, whose end nobody knows', async () => {
    const timeframe = { rolloverTimeframeCount: 31, rolloverTimeframeInterval: 'Day' as const }
    const one = await subscribed({ ...rolling, ...timeframe, rolloverPercentage: 100 })
    const end = later(january, 30 * day)
    await one.endCycle(end)
    const [rolled] = (await one.grants()).filter((grant) => grant.sourceType === 'rollover')
    expect(rolled?.expiresAt).toBe(later(january, 61 * day))
    // From here on rolled-over credits have no timeframe.
    const next = await one.plan({ ...rolling, rolloverPercentage: 100 })
    await one.change(next, later(end, day), { mode: 'do_not_bill' })
    await one.update({ status: 'paused' }, later(end, 2 * day))
    await one.expire(rolled?.grantId ?? '', later(january, 61 * day))
    const again = (await one.grants()).find((grant) => grant.parentGrantId === rolled?.grantId)
    expect(again).toMatchObject({ rolloverCount: 2, expiresAt: null })
    await one.update({ status: 'active' }, later(january, 62 * day))
    const { nextBillingDate } = await one.find()
    expect((await one.grants()).find(({ grantId }) => grantId === again?.grantId)).toMatchObject({
      expiresAt: nextBillingDate,
    })
  })

  it('where a pause ends in a cancellation, as if it had gone on', async () => {
    const one = await subscribed(rolling)
    const end = later(january, 30 * day)
    await one.endCycle(end)
    await one.update({ status: 'paused' }, later(end, day))
    await one.update({ status: 'cancelled' }, later(end, 4 * day))
    expect(await ends(one)).toBe(later(january, 63 * day))
  })
})

describe('credits that end with their trial [credits#cycle-end]', () => {
  const trial = { trialCredits: '10', trialCreditsExpireAfterTrial: true }
  const ends = async (one: Awaited<ReturnType<typeof subscribed>>) =>
    (await one.grants()).find((grant) => grant.initial === '10')?.expiresAt

  it('do so wherever its end is moved to, and not while it is paused', async () => {
    const one = await subscribed(trial, 10)
    expect(await ends(one)).toBe(later(january, 10 * day))
    await one.update({}, later(january, day), later(january, 15 * day))
    expect(await ends(one)).toBe(later(january, 15 * day))
    await one.update({ status: 'paused' }, later(january, 2 * day))
    expect(await ends(one)).toBe(null)
    await one.update({ status: 'active' }, later(january, 22 * day))
    expect(await ends(one)).toBe(later(january, 35 * day))
    await one.endCycle(later(january, 35 * day))
    expect(await one.ledger()).toEqual([
      'credit_added 10 10',
      'credit_expired 10 0',
      'credit_added 100 100',
    ])
    await one.update({}, later(january, 36 * day), later(january, 50 * day))
    expect(await ends(one)).toBe(later(january, 35 * day))
  })

  it('end sooner by their own days, and where a pause ends in a cancellation', async () => {
    const short = await subscribed({ ...trial, expiresAfterDays: 12 }, 10)
    await short.update({}, later(january, day), later(january, 15 * day))
    expect(await ends(short)).toBe(later(january, 12 * day))
    const over = await subscribed(trial, 10)
    await over.update({ status: 'paused' }, later(january, day))
    await over.update({ status: 'cancelled' }, later(january, 4 * day))
    expect(await ends(over)).toBe(later(january, 13 * day))
  })
})

it('a paused subscription renews nothing [credits#endings]', async () => {
  const one = await subscribed()
  await one.update({ status: 'paused' }, later(january, day))
  await one.endCycle(later(january, 30 * day))
  expect(await one.ledger()).toEqual(['credit_added 100 100'])
  expect(await one.find()).toMatchObject({ status: 'paused', pauses: [{ to: null }] })
})
