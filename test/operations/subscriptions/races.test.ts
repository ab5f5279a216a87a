import { describe, expect, it } from 'vitest'
import { beginning } from '../../model/billing/model.ts'
import type { Call } from '../../model/billing/program.ts'
import { openBillingDesk } from '../../support/billing/desk.ts'
import { memoryShelf } from '../../support/billing/memory-shelf.ts'
import { startRacer } from '../../support/billing/racer.ts'
import { day, planOf, programOf } from './plans.ts'

const toLarge: Call = { kind: 'replan', which: 0, plan: 1, mode: 'full_immediately' }

/** A subscription to 10 credits each 30 days from day 0 on, and another plan of 30 credits. */
async function subscribed() {
  const desk = await openBillingDesk(
    memoryShelf(),
    programOf({}, [planOf(), planOf({ amount: 300 })]),
  )
  const at = (days: number): number => beginning + days * day
  await desk.call({ kind: 'subscribe', plan: 0, trialDays: 0 }, null, at(0))
  return {
    desk,
    at,
    /** Starts a call that decides now, and is held back before its commit. */
    start: (days: number, call: Call) => startRacer((hold) => desk.call(call, 0, at(days), hold)),
    /**
     * The living grants: what is left of each in tenths of a credit, and on which day it was made.
     */
    async grants(): Promise<readonly string[]> {
      const { grants, state } = (await desk.read()).account
      return grants.map(({ createdAt }, index) => {
        const made = (createdAt / 1_000_000 - beginning) / day
        return `${state.holdings[index]?.remaining} of day ${made}`
      })
    },
    inOrder(): boolean {
      const times = desk.written.map((entry) => entry.at)
      return times.every((time, index) => time >= (times[index - 1] ?? 0))
    },
  }
}

describe('what is decided at once [subscriptions#the-time-of-a-command]', () => {
  it.each([
    ['in their order', 0],
    ['the later one first', 1],
  ])('two plan changes, committed %s, leave one cycle’s grant', async (_, first) => {
    const one = await subscribed()
    one.desk.at(one.at(1))
    const changes = [one.start(1, toLarge), one.start(1.5, toLarge)]
    await Promise.all(changes.map(({ ready }) => ready))
    await changes[first]?.release()
    await changes[1 - first]?.release()
    expect(await Promise.all(changes.map(({ done }) => done))).toEqual([true, true])
    expect(await one.grants()).toEqual(['300 of day 1.5'])
    one.desk.at(one.at(33))
    await one.desk.sweep(true)
    expect(await one.grants()).toEqual(['300 of day 31.5'])
    expect(one.inOrder()).toBe(true)
  })

  it.each<[string, Call, readonly string[]]>([
    ['a plan change', toLarge, ['300 of day 32']],
    ['a credit', { kind: 'credit', amount: 7, days: null }, ['100 of day 30', '7 of day 32']],
    ['a debit', { kind: 'debit', amount: 7 }, ['93 of day 30']],
  ])('%s that is held back over a move of the clock happens after it', async (_, call, grants) => {
    const one = await subscribed()
    const held = one.start(1, call)
    await held.ready
    one.desk.at(one.at(1))
    await one.desk.ahead(31 * day)
    await one.desk.sweep(true)
    await held.release()
    expect(await held.done).toBe(true)
    expect(await one.grants()).toEqual(grants)
    expect(one.inOrder()).toBe(true)
    expect(one.desk.written.at(-1)?.at).toBe(one.at(32) * 1_000_000)
  })

  it('one that waits while time moves on over no end of anything happens after it, too', async () => {
    const one = await subscribed()
    const held = one.start(1, { kind: 'debit', amount: 7 })
    await held.ready
    await one.desk.ahead(2 * day)
    await held.release()
    expect(one.desk.written.at(-1)?.at).toBe(one.at(3) * 1_000_000)
  })
})
