import { describe, expect, it } from 'vitest'
import { balanceAt } from '../../../src/rules/accounts/account.ts'
import type { CutShort } from '../../../src/rules/accounts/cut-short.ts'
import { cutShort } from '../../../src/rules/accounts/cut-short.ts'
import { accountOf, at, behaviors, end, ending, following, linesOf, next } from './cycles.ts'

const cut: CutShort = {
  subscriptionId: 'sub_1',
  at: at(10),
  next: end,
  ends: { open: end, next: following },
  overage: null,
}
const early = { by: 'cancellation', subscriptionId: 'sub_1' } as const

const reset = 'overage_reset +15 overage 0/0'

describe('a cycle that is cut short', () => {
  it('leaves what it granted until the end that it had, or sooner [credits#endings]', () => {
    const account = accountOf([
      { id: 'open' },
      { id: 'sooner', expiresAt: at(12) },
      { id: 'later', expiresAt: at(300) },
      { id: 'coming', cycleAt: end },
      { id: 'api', type: 'api' },
      { id: 'bought', type: 'one_time', of: 'sub_1' },
      { id: 'other', of: 'sub_2' },
    ])
    const { account: left, entries } = cutShort(account, cut)
    expect(entries).toEqual([])
    expect(left.grants.map(({ expiresAt }) => expiresAt)).toEqual([
      ...[end, at(12), end, following, null, null, null],
    ])
    expect([balanceAt(left, at(29)), balanceAt(left, end)]).toEqual([600n, 400n])
  })

  it('leaves rolled credits to their own end [credits#rollover]', () => {
    const rollover = { enabled: true, percentage: 50, timeframe: null, countMax: null }
    const rolled = ending(accountOf([{ id: 'a' }]), { rollover, next })
    const later = { at: at(40), next: following, ends: { open: following, next: at(90) } }
    const ends = cutShort(rolled.account, { ...cut, ...later }).account.grants
    expect(ends.map(({ expiresAt }) => expiresAt)).toEqual([following, following])
  })

  it.each([
    ['bills', behaviors.invoice, ['overage_charged -15 overage 0/15', reset], 0n],
    ['forgives', behaviors.forgive, [reset], 0n],
    ['carries', behaviors.carry, [], 15n],
    ['carries', behaviors.repay, [], 15n],
  ] as const)(
    '%s its overage by the terms that governed it [credits#overage]',
    (_, behavior, lines, left) => {
      const owing = accountOf([{ id: 'a', amount: 10n }], 25n)
      const decided = cutShort(owing, { ...cut, overage: { behavior, early } })
      expect(linesOf(decided)).toEqual(lines)
      expect([decided.account.state.overage, decided.account.base.overage]).toEqual([left, left])
      for (const { at: moment, cause } of decided.entries) {
        expect(moment).toBe(at(10))
        expect(cause.inputs).toMatchObject({ endedBy: 'cancellation', subscriptionId: 'sub_1' })
      }
      expect(linesOf(cutShort(owing, cut))).toEqual([])
    },
  )

  it('starts dropped at 0 where it closes the overage [machines#settling]', () => {
    const dropping = accountOf([], 25n, 10n)
    const closed = cutShort(dropping, { ...cut, overage: { behavior: behaviors.carry, early } })
    expect([closed.account.state.dropped, closed.account.closed.dropped]).toEqual([0n, 15n])
    expect(cutShort(dropping, cut).account.state.dropped).toBe(15n)
  })
})
