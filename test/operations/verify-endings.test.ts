import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import { beginning } from '../model/billing/model.ts'
import type { Plan, Settings } from '../model/billing/program.ts'
import { openBillingDesk } from '../support/billing/desk.ts'
import { storeShelf } from '../support/billing/store-shelf.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'
import { day, planOf, programOf } from './subscriptions/plans.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
})
afterAll(() => store.drop())

const counters = { offset: 0, ids: 0 }

/** The books on day 10 of a subscription that has used 15 of its 10 credits on day 3. */
async function books(
  settings: Partial<Settings> = {},
  plans: readonly Plan[] = [planOf(), planOf(null)],
) {
  const shelf = await storeShelf(store, counters)
  const desk = await openBillingDesk(shelf, programOf(settings, plans))
  const at = (days: number): number => beginning + days * day
  const call = (days: number, next: Parameters<typeof desk.call>[0], which = 0) => {
    desk.at(at(days))
    return desk.call(next, which, at(days))
  }
  await call(0, { kind: 'subscribe', plan: 0, trialDays: 0 })
  desk.at(at(3))
  const moments = { timestamp: at(3), received: at(3) }
  await desk.measure([{ id: 1, meter: 'a', quantity: 15, ...moments }])
  await desk.settle()
  const { businessId } = shelf.scope
  return {
    desk,
    call,
    businessId,
    when: (days: number) => `'${new Date(at(days) * 1_000).toISOString()}'`,
    async bend(table: string, set: string): Promise<void> {
      const of =
        table === 'grants'
          ? `account_id in (select account_id from accounts where business_id = '${businessId}')`
          : `business_id = '${businessId}'`
      await store.db.query({ text: `update ${table} set ${set} where ${of}`, values: [] })
    },
    found: () => foundIn(businessId),
  }
}

async function foundIn(businessId: string): Promise<readonly string[]> {
  const sentences: string[] = []
  const verification = verifyBooks(
    { audit: audit(store.db), log: null, window: day },
    { businessId },
  )
  for await (const { sentence } of verification) sentences.push(sentence)
  return sentences
}

const ended = (at: string, status = 'cancelled'): string =>
  `status = '${status}', ended = now(), cancelled_at = ${status === 'cancelled' ? at : 'null'}`

describe('grants of ended cycles that still hold', () => {
  it('are found when their cycle is over', async () => {
    const one = await books()
    await one.bend('subscriptions', `previous_billing_date = ${one.when(1)}`)
    expect(await one.found()).toEqual([
      expect.stringMatching(/^Account cbl_\S+ of customer \S+: its grant cgr_\S+ still holds 0/),
    ])
    expect(await one.found()).toEqual([
      expect.stringMatching(/the cycle of 2026-01-30\S+ of subscription sub_\S+, which issued it/),
    ])
  })

  it('are found when their subscription is over and nothing ends them', async () => {
    const one = await books({ behavior: 'carry_deficit' })
    await one.call(10, { kind: 'cancel', which: 0 })
    expect(await one.found()).toEqual([])
    await one.bend('grants', 'expires_at = null')
    expect(await one.found()).toEqual([
      expect.stringMatching(/ is over, and nothing says when it ends\.$/),
    ])
  })
})

describe('overage without terms', () => {
  it.each(['invoice_at_billing', 'forgive_at_reset'] as const)(
    'is found where a subscription under %s ended and left it',
    async (behavior) => {
      const one = await books({ behavior })
      expect(await one.found()).toEqual([])
      await one.bend('subscriptions', ended(one.when(10)))
      await one.bend('grants', `expires_at = ${one.when(30)}`)
      const told = new RegExp(
        `its overage of 5(\\.0)? was left open when subscription sub_\\S+ ended at 2026-02-09T\\S+, whose terms \\(${behavior}\\) close it\\.$`,
      )
      expect(await one.found()).toEqual([expect.stringMatching(told)])
    },
  )

  it('is found where it expired, and where the plan that allowed it was left', async () => {
    const expired = await books({}, [planOf({}, { periodDays: 12 })])
    await expired.bend('subscriptions', ended('', 'expired'))
    await expired.bend('grants', `expires_at = ${expired.when(30)}`)
    expect(await expired.found()).toEqual([expect.stringMatching(/was left open when/)])
    const allowed = { ...planOf().credits?.overrides, overage: true }
    const plans = [planOf({ overrides: allowed as never })]
    const left = await books({ overage: false }, plans)
    await left.bend('subscriptions', `credit_cart = '[]'`)
    expect(await left.found()).toEqual([
      expect.stringMatching(/its overage of 5(\.0)? is under nobody’s terms: no subscription/),
    ])
  })

  it('is right where it was closed, is carried, or another subscription governs', async () => {
    for (const behavior of ['invoice_at_billing', 'carry_deficit'] as const) {
      const one = await books({ behavior })
      await one.call(10, { kind: 'cancel', which: 0 })
      expect(await one.found()).toEqual([])
    }
    const two = await books()
    await two.call(5, { kind: 'subscribe', plan: 0, trialDays: 0 })
    await two.call(10, { kind: 'cancel', which: 1 }, 1)
    expect(await two.found()).toEqual([])
  })

  it('is right where the plan that allowed it was left, and closed it', async () => {
    const one = await books()
    await one.call(10, { kind: 'replan', which: 0, plan: 1, mode: 'do_not_bill' })
    expect(await one.found()).toEqual([])
  })
})

describe('subscriptions past their end', () => {
  const past =
    /^Subscription sub_\S+ of customer \S+ is active, but its period ended at 2026-0\S+\.$/

  it('are found when a cycle began after it', async () => {
    const one = await books()
    await one.bend('subscriptions', `expires_at = previous_billing_date`)
    expect(await one.found()).toEqual([expect.stringMatching(past)])
  })

  it('are found when everything received before it was measured for an hour', async () => {
    const one = await books()
    await one.bend('subscriptions', `expires_at = ${one.when(9)}`)
    const measuredTo = (days: number, more = '') =>
      store.db.query({
        text: `update checkpoints set log_at = ${one.when(days)}::timestamptz ${more}`,
        values: [],
      })
    await measuredTo(9, `+ interval '59 minutes'`)
    expect(await one.found()).toEqual([])
    await measuredTo(9, `+ interval '61 minutes'`)
    expect(await one.found()).toEqual([expect.stringMatching(past)])
    await one.bend('business_modes', 'clock_ahead_us = 0')
    await measuredTo(3)
    expect(await one.found()).toEqual([])
    await one.bend('business_modes', `clock_ahead_us = ${7 * day * 1_000_000}`)
    expect(await one.found()).toEqual([expect.stringMatching(past)])
  })
})

describe('the order of time [subscriptions#the-time-of-a-command]', () => {
  const swept = async () => {
    const one = await books()
    one.desk.at(beginning + 61 * day)
    await one.desk.sweep(true)
    expect(await one.found()).toEqual([])
    return one
  }

  it('is found broken where a ledger runs backwards', async () => {
    const one = await swept()
    const text = `update ledger_entries set created_at = ${one.when(1)} where number = 3
      and account_id in (select account_id from accounts where business_id = '${one.businessId}')`
    await store.db.query({ text, values: [] })
    expect(await one.found()).toEqual([
      expect.stringMatching(
        /its ledger runs backwards: entry 3 is of 2026-01-31T12:\S+, and the one before it of/,
      ),
    ])
  })

  it('is found broken where a cycle was granted twice', async () => {
    const one = await swept()
    await one.bend('grants', `cycle_at = ${one.when(30)}`)
    expect(await one.found()).toContainEqual(
      expect.stringMatching(
        /the cycle of 2026-03-01T\S+ of subscription sub_\S+ was granted 2 times: cgr_\S+, cgr_\S+/,
      ),
    )
  })

  it('is right where credits of a trial belong to a paid cycle, and plans change', async () => {
    const trial = { trialAmount: 50, trialExpires: false, prorates: false }
    const plans = [planOf(trial), planOf(trial)]
    const shelf = await storeShelf(store, counters)
    const desk = await openBillingDesk(shelf, programOf({}, plans))
    const call = (days: number, next: Parameters<typeof desk.call>[0]) => {
      desk.at(beginning + days * day)
      return desk.call(next, 0, beginning + days * day)
    }
    await call(0, { kind: 'subscribe', plan: 0, trialDays: 7 })
    expect(await call(8, { kind: 'replan', which: 0, plan: 1, mode: 'do_not_bill' })).toBe(true)
    expect(await call(9, { kind: 'replan', which: 0, plan: 0, mode: 'full_immediately' })).toBe(
      true,
    )
    expect(await foundIn(shelf.scope.businessId)).toEqual([])
  })
})
