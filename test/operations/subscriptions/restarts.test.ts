import { describe, expect, it } from 'vitest'
import { planOf } from './plans.ts'
import { lines, subscribed } from './subscribed.ts'

describe('a change to a plan without the credits that begins a new cycle', () => {
  const without = planOf(null)
  const change = { kind: 'replan', which: 0, plan: 1, mode: 'full_immediately' } as const

  it('takes along what ends with that cycle: a pause moves it [credits#ledger, credits#overage]', async () => {
    const one = await subscribed({ settings: { rollover: true }, plans: [planOf(), without] })
    await one.call(10, change)
    expect(await one.ends()).toEqual([40])
    await one.call(15, { kind: 'pause', which: 0 })
    expect(await one.ends()).toEqual([null])
    await one.call(18, { kind: 'resume', which: 0 })
    expect(await one.ends()).toEqual([43])
    await one.sweep(43)
    expect(await one.ends()).toEqual([])
  })

  it('leaves no credits of a trial for ever: they end with the first paid cycle [credits#cycle-end]', async () => {
    const trial = planOf({ trialAmount: 50 })
    const one = await subscribed({ plans: [trial, without], trialDays: 7 })
    await one.call(3, change)
    expect(await one.ends()).toEqual([null])
    await one.sweep(33)
    expect(await one.ends()).toEqual([])
    expect(lines(one.desk).at(-1)).toBe('credit_expired 5 0 0')
  })
})
