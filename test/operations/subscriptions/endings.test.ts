import { describe, expect, it } from 'vitest'
import { beginning } from '../../model/billing/model.ts'
import type { Behavior, Call } from '../../model/billing/program.ts'
import { day, planOf } from './plans.ts'
import { lines, subscribed } from './subscribed.ts'

describe('a subscription that is cancelled in the middle of a cycle', () => {
  it('leaves what the cycle granted until the end that it had, then expires it [credits#endings]', async () => {
    const one = await subscribed({ settings: { rollover: true } })
    await one.call(10, { kind: 'cancel', which: 0 })
    expect(await one.ends()).toEqual([30])
    expect(await one.call(29, { kind: 'debit', amount: 40 })).toBe(true)
    await one.sweep(29)
    expect(lines(one.desk).at(-1)).toBe('manual_adjustment 4 6 0')
    await one.sweep(30)
    expect(lines(one.desk, 2)).toEqual(['credit_expired 6 0 0'])
    const { cause } = one.desk.written.at(-1) ?? {}
    expect(cause?.inputs).toMatchObject({ rule: 'last_cycle_end' })
  })

  it('ends sooner what has an expiry of its own, and leaves what the API gave', async () => {
    const one = await subscribed({ settings: { expiresAfterDays: 12 } })
    await one.call(1, { kind: 'credit', amount: 10, days: 300 })
    await one.call(2, { kind: 'cancel', which: 0 })
    expect(await one.ends()).toEqual([12, 301])
  })

  it.each<[Behavior, readonly string[]]>([
    ['invoice_at_billing', ['overage_charged 5 0 5', 'overage_reset 5 0 0']],
    ['forgive_at_reset', ['overage_reset 5 0 0']],
    ['carry_deficit', []],
    ['carry_deficit_auto_repay', []],
  ])('closes its overage by %s [credits#overage]', async (behavior, closing) => {
    const one = await subscribed({ settings: { behavior } })
    await one.use(3, 15)
    await one.call(10, { kind: 'cancel', which: 0 })
    expect(lines(one.desk, 3)).toEqual(closing)
    for (const { cause } of one.desk.written.slice(3)) {
      expect(cause.inputs).toMatchObject({ endedBy: 'cancellation' })
    }
    const { account } = await one.desk.read()
    expect(account.state.overage).toBe(closing.length === 0 ? 50n : 0n)
  })

  it('does so where it was paused, too, and ends where it would have, going on', async () => {
    const one = await subscribed({})
    await one.use(3, 15)
    await one.call(5, { kind: 'pause', which: 0 })
    await one.call(9, { kind: 'cancel', which: 0 })
    expect(lines(one.desk, 3)).toEqual(['overage_charged 5 0 5', 'overage_reset 5 0 0'])
    expect(await one.ends()).toEqual([34])
  })

  it('ends once: nothing is changed afterwards that could move the end of its credits', async () => {
    const one = await subscribed({})
    await one.call(5, { kind: 'pause', which: 0 })
    await one.call(9, { kind: 'cancel', which: 0 })
    expect(await one.call(10, { kind: 'recart', which: 0, patch: { countMax: 2 } })).toBe(false)
    expect(await one.ends()).toEqual([34])
  })

  it('leaves overage that another subscription governs', async () => {
    const one = await subscribed({})
    await one.call(1, { kind: 'subscribe', plan: 0, trialDays: 0 })
    await one.use(3, 25)
    one.desk.at(beginning + 10 * day)
    await one.desk.call({ kind: 'cancel', which: 1 }, 1, beginning + 10 * day)
    const { account } = await one.desk.read()
    expect(account.state.overage).toBe(50n)
  })

  it('in its trial ends credits where the first paid cycle would have ended', async () => {
    const plans = [planOf({ trialAmount: 20 })]
    const one = await subscribed({ plans, trialDays: 7 })
    await one.call(3, { kind: 'cancel', which: 0 })
    expect(await one.ends()).toEqual([37])
    const scheduled = await subscribed({ plans, trialDays: 7 })
    await scheduled.call(3, { kind: 'cancelAtEnd', which: 0 })
    await scheduled.sweep(8)
    expect(await scheduled.ends()).toEqual([37])
  })
})

describe('a plan change that begins a new cycle [subscriptions#plan-changes]', () => {
  const restart = (plan = 1): Call => ({ kind: 'replan', which: 0, plan, mode: 'full_immediately' })

  it('ends the old one: rolled, expired, charged, reset, added, repaid; the grant is whole', async () => {
    const own = { rollover: true, percentage: 50 } as const
    const one = await subscribed({ settings: own, plans: [planOf(), planOf({ amount: 70 })] })
    await one.use(3, 4)
    await one.call(10, restart())
    expect(lines(one.desk, 2)).toEqual([
      'credit_rolled_over 3 6 0',
      'credit_expired 3 3 0',
      'credit_added 7 10 0',
    ])
    expect(await one.ends()).toEqual([40, null])
    expect(one.desk.written.at(-1)?.cause.inputs).toMatchObject({ rule: 'plan_change_grant' })
    await one.use(11, 25)
    await one.call(20, restart(0))
    expect(lines(one.desk, 8)).toEqual([
      'overage_charged 15 0 15',
      'overage_reset 15 0 0',
      'credit_added 10 10 0',
    ])
  })

  it('repays what is carried from the new grant', async () => {
    const one = await subscribed({
      settings: { behavior: 'carry_deficit_auto_repay' },
      plans: [planOf(), planOf()],
    })
    await one.use(3, 14)
    await one.call(10, restart())
    expect(lines(one.desk, 3)).toEqual(['credit_added 10 10 4', 'credit_deducted 4 6 0'])
  })

  it('forfeits what rolled as often as it may, though its cycle ended early', async () => {
    const own = { rollover: true, countMax: 1 }
    const one = await subscribed({ settings: own, plans: [planOf(), planOf()] })
    await one.sweep(30)
    await one.call(35, restart())
    expect(lines(one.desk, 3)).toEqual([
      'rollover_forfeited 10 10 0',
      'credit_rolled_over 10 10 0',
      'credit_added 10 20 0',
    ])
  })

  it('to a plan without the credits ends those, and closes their overage', async () => {
    const one = await subscribed({ plans: [planOf(), planOf(null)] })
    await one.use(3, 15)
    await one.call(10, restart())
    expect(lines(one.desk, 3)).toEqual(['overage_charged 5 0 5', 'overage_reset 5 0 0'])
    expect(await one.ends()).toEqual([])
  })

  it('ends a trial with what it granted, and issues the trial credits of the new plan, or none', async () => {
    const trial = { trialAmount: 20, trialExpires: true }
    const changed = async (plan: ReturnType<typeof planOf>) => {
      const plans = [planOf(trial), plan]
      const one = await subscribed({ settings: { rollover: true }, plans, trialDays: 7 })
      await one.call(3, restart())
      return lines(one.desk, 1)
    }
    expect(await changed(planOf({ trialAmount: 30, amount: 50 }))).toEqual([
      ...['credit_expired 2 0 0', 'credit_added 3 3 0'],
    ])
    expect(await changed(planOf({ amount: 50 }))).toEqual(['credit_expired 2 0 0'])
  })
})

it('a plan change that keeps the cycle closes overage of credits that it leaves [subscriptions#plan-changes]', async () => {
  const one = await subscribed({ plans: [planOf(), planOf(null)] })
  await one.call(1, { kind: 'credit', amount: 10, days: null })
  await one.use(3, 16)
  await one.call(10, { kind: 'replan', which: 0, plan: 1, mode: 'do_not_bill' })
  expect(lines(one.desk, 5)).toEqual(['overage_charged 5 0 5', 'overage_reset 5 0 0'])
  const { cause } = one.desk.written.at(-1) ?? {}
  expect(cause?.inputs).toMatchObject({ endedBy: 'plan_change', behavior: 'invoice_at_billing' })
})

describe('a trial [subscriptions#trials]', () => {
  it('rolls nothing of what expires with it', async () => {
    const plans = [planOf({ trialAmount: 20, trialExpires: true })]
    const one = await subscribed({ settings: { rollover: true }, plans, trialDays: 7 })
    await one.sweep(7)
    expect(lines(one.desk, 1)).toEqual(['credit_expired 2 0 0', 'credit_added 10 10 0'])
  })

  it('gets the trial credits of the plan that it changes to, or none', async () => {
    const trial = { trialAmount: 20, trialExpires: true, prorates: false }
    const plans = [planOf(), planOf(trial), planOf({ ...trial, trialExpires: false })]
    const change = (plan: number): Call => ({ kind: 'replan', which: 0, plan, mode: 'do_not_bill' })
    const one = await subscribed({ settings: { rollover: true }, plans, trialDays: 10 })
    await one.call(2, change(1))
    await one.call(3, change(2))
    await one.call(4, change(0))
    expect(lines(one.desk)).toEqual(['credit_added 2 2 0', 'credit_added 2 4 0'])
    expect(await one.ends()).toEqual([10, null])
    await one.sweep(10)
    expect(lines(one.desk, 2)).toEqual(['credit_expired 2 2 0', 'credit_added 10 12 0'])
  })
})

describe('the end of a subscription’s period [subscriptions#endings]', () => {
  const plans = [planOf({}, { periodDays: 45 })]

  it('comes in the middle of a cycle: it ends then, and grants and charges no more', async () => {
    const one = await subscribed({ settings: { rollover: true }, plans })
    await one.sweep(44)
    expect(await one.status()).toBe('active')
    await one.use(44, 25)
    await one.sweep(46)
    expect(await one.status()).toBe('expired')
    expect(lines(one.desk, 3)).toEqual([
      ...['credit_deducted 10 10 0', 'credit_deducted 10 0 0', 'credit_deducted 5 0 5'],
      ...['overage_charged 5 0 5', 'overage_reset 5 0 0'],
    ])
    expect(one.desk.written.at(-1)?.cause.inputs).toMatchObject({ endedBy: 'expiry' })
    const counted = one.desk.written.length
    await one.use(47, 3)
    await one.sweep(400)
    expect(lines(one.desk, counted)).toEqual([])
    expect(one.desk.applied).toEqual(expect.arrayContaining(['subscription_end']))
  })

  it('leaves what the cycle granted until the end that it had', async () => {
    const one = await subscribed({ plans })
    await one.sweep(46)
    expect(await one.ends()).toEqual([60])
    await one.sweep(60)
    expect(lines(one.desk).at(-1)).toBe('credit_expired 10 0 0')
  })

  it('refuses a date beyond it, and a trial that is longer', async () => {
    const one = await subscribed({ plans })
    const redate = (days: number): Call => ({ kind: 'redate', which: 0, days })
    expect(await one.call(1, redate(16))).toBe(false)
    expect(await one.call(1, redate(15))).toBe(true)
    const trial = (trialDays: number): Call => ({ kind: 'subscribe', plan: 0, trialDays })
    expect(await one.call(2, trial(46))).toBe(false)
    expect(await one.call(2, trial(45))).toBe(true)
  })

  it('comes before what is asked of it', async () => {
    const one = await subscribed({ plans })
    await one.sweep(31)
    expect(await one.call(45, { kind: 'pause', which: 0 })).toBe(false)
    const restart: Call = { kind: 'replan', which: 0, plan: 0, mode: 'full_immediately' }
    expect(await one.call(46, restart)).toBe(false)
  })
})
