import { describe, expect, it } from 'vitest'
import type { Account } from '../../../src/rules/accounts/account.ts'
import type { CycleMove } from '../../../src/rules/accounts/cycle-move.ts'
import { moveCycle } from '../../../src/rules/accounts/cycle-move.ts'
import type { Decided } from '../../../src/rules/accounts/settle.ts'
import { accountOf, at, begin, ending, following, next, rolling } from './cycles.ts'

describe('a cycle that changes its dates', () => {
  const rolled = (): Account =>
    ending(accountOf([{ id: 'a' }]), { rollover: rolling(), next }).account
  const move = { subscriptionId: 'sub_1', next: { from: following, to: at(70) } }

  it('takes rolled grants along that end with it, and no others [credits#rollover]', () => {
    const rolledEnd = { from: following, to: at(70) }
    const ends = (of: Decided) => of.account.grants.map(({ expiresAt }) => expiresAt)
    expect(ends(moveCycle(rolled(), { ...move, rolledEnd }))).toEqual([at(70), null])
    expect(ends(moveCycle(rolled(), move))).toEqual([following, null])
    const other = { ...move, rolledEnd, subscriptionId: 'sub_2' }
    expect(ends(moveCycle(rolled(), other))).toEqual([following, null])
    const elsewhere = { ...move, rolledEnd: { from: at(61), to: at(70) } }
    expect(ends(moveCycle(rolled(), elsewhere))).toEqual([following, null])
    const paused = { ...move, rolledEnd: { from: following, to: null } }
    expect(ends(moveCycle(rolled(), paused))).toEqual([null, null])
  })

  it('takes trial credits along that belong to the cycle to come [credits#cycle-end]', () => {
    const account = accountOf([{ id: 'trial', cycleAt: following }, { id: 'a' }])
    const cycles = (of: Decided) => of.account.grants.map(({ cycleAt }) => cycleAt)
    expect(cycles(moveCycle(account, move))).toEqual([at(70), begin])
    expect(moveCycle(account, move).entries).toEqual([])
  })

  it('takes the end of trial credits along that end with the trial [credits#cycle-end]', () => {
    const account = accountOf([{ id: 'trial', expiresAt: following }])
    // Also those that a change of plans issued in the trial. [subscriptions#trials]
    const later = { ...account, grants: account.grants.map((of) => ({ ...of, createdAt: at(2) })) }
    const moving = { begunAt: begin, end: at(70), expiresAfterDays: null }
    expect(moveCycle(later, { ...move, trial: moving }).account.grants[0]?.expiresAt).toBe(at(70))
    const ends = (trial: CycleMove['trial']) =>
      moveCycle(account, { ...move, ...trialOf(trial) }).account.grants[0]?.expiresAt
    const trialOf = (trial: CycleMove['trial']) => (trial === undefined ? {} : { trial })
    expect(ends(undefined)).toBe(following)
    expect(ends({ begunAt: begin, end: at(70), expiresAfterDays: null })).toBe(at(70))
    expect(ends({ begunAt: begin, end: at(70), expiresAfterDays: 65 })).toBe(at(65))
    expect(ends({ begunAt: begin, end: null, expiresAfterDays: null })).toBeNull()
    expect(ends({ begunAt: at(1), end: at(70), expiresAfterDays: null })).toBe(following)
  })

  it('leaves what is not rolled over to its own expiry', () => {
    const account = accountOf([{ id: 'addon', type: 'addon', expiresAt: following }])
    const rolledEnd = { from: following, to: at(70) }
    expect(moveCycle(account, { ...move, rolledEnd }).account.grants[0]?.expiresAt).toBe(following)
  })
})
