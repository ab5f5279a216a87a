import { describe, expect, it } from 'vitest'
import { endCycle, endLast, endRolled, expireGrant } from '../../../src/rules/accounts/cycle-end.ts'
import {
  accountOf,
  at,
  command,
  end,
  ending,
  following,
  idsOf,
  linesOf,
  next,
  off,
  rolling,
} from './cycles.ts'

describe('rollover at a cycle end [credits#rollover]', () => {
  it('rolls 150 of 200 unused at 75 %, and the other 50 expire', () => {
    const ended = ending(accountOf([{ id: 'old', amount: 200n }]), { rollover: rolling() })
    expect(linesOf(ended)).toEqual([
      'credit_rolled_over +150 roll_1 200/0',
      'credit_expired -50 old 150/0',
    ])
    expect(ended.account.grants).toMatchObject([
      {
        grantId: 'roll_1',
        sourceType: 'rollover',
        sourceId: 'sub_1',
        parentGrantId: 'old',
        rolloverCount: 1,
        initial: 150n,
        cycleAt: null,
        expiresAt: following,
        createdAt: end,
        number: 2,
      },
    ])
    expect(ended.account.ended).toMatchObject([{ grant: { grantId: 'old' }, drawn: 0n }])
  })

  it('rolls what usage left, all of it without a percentage, cut to the precision', () => {
    const left = accountOf([{ id: 'old', amount: 100n }], 93n)
    const all = ending(left, { rollover: rolling({ percentage: null }) })
    expect(linesOf(all)).toEqual(['credit_rolled_over +7 roll_1 7/0'])
    expect(all.account.ended).toMatchObject([{ grant: { grantId: 'old' }, drawn: 93n }])
    const third = ending(left, { rollover: rolling({ percentage: 33 }) })
    expect(linesOf(third)).toEqual([
      'credit_rolled_over +2 roll_1 7/0',
      'credit_expired -5 old 2/0',
    ])
    expect(all.entries[0]?.cause).toEqual({
      referenceType: 'subscription',
      referenceId: 'sub_1',
      description: null,
      metadata: {},
      inputs: {
        rule: 'credit_rolled_over',
        endedAt: end,
        parentGrantId: 'old',
        percentage: 100,
        unused: '7',
      },
    })
  })

  it('rolls nothing of nothing, and nothing at 0 %', () => {
    const empty = accountOf([{ id: 'old', amount: 5n }], 5n)
    expect(ending(empty, { rollover: rolling() })).toMatchObject({ entries: [] })
    const none = ending(accountOf([{ id: 'old' }]), { rollover: rolling({ percentage: 0 }) })
    expect(linesOf(none)).toEqual(['credit_expired -100 old 0/0'])
  })

  it('forfeits at the maximum count, and names how often it has rolled', () => {
    const ended = ending(accountOf([{ id: 'old' }]), { rollover: rolling({ countMax: 0 }) })
    expect(linesOf(ended)).toEqual(['rollover_forfeited -100 old 0/0'])
    expect(ended.entries[0]?.cause.inputs).toMatchObject({
      rule: 'rollover_forfeited',
      rolloverCount: 0,
      endedAt: end,
    })
    const once = ending(accountOf([{ id: 'old' }]), { rollover: rolling({ countMax: 1 }) })
    expect(linesOf(once)[0]).toBe('credit_rolled_over +75 roll_1 100/0')
  })

  it('gives a rolled grant its timeframe, or the end of the next cycle [credits#rollover]', () => {
    const timeframe = { count: 2, interval: 'Week' as const }
    const ended = ending(accountOf([{ id: 'old' }]), { rollover: rolling({ timeframe }) })
    expect(ended.account.grants[0]?.expiresAt).toBe(at(44))
  })

  it('rolls what is due again, before the new cycle, in the order of the parents [credits#rollover]', () => {
    const first = ending(accountOf([{ id: 'a' }, { id: 'b', amount: 40n }]), {
      rollover: rolling(),
      next,
    })
    expect(idsOf(first)).toEqual(['roll_1', 'roll_2', 'next'])
    expect(first.account.grants.map(({ createdAt }) => createdAt)).toEqual([end, end, end])
    const terms = { cycleAt: end, at: following, nextEnd: at(90) }
    const second = endCycle(first.account, {
      subscriptionId: 'sub_1',
      ...terms,
      rollover: rolling({ countMax: 1 }),
      overage: null,
      isTrial: false,
      next: command({ id: 'third', cycleAt: following }),
      newGrantId: () => 'roll_3',
    })
    expect(linesOf(second)).toEqual([
      'rollover_forfeited -75 roll_1 70/0',
      'rollover_forfeited -30 roll_2 40/0',
      'credit_rolled_over +30 roll_3 40/0',
      'credit_expired -10 next 30/0',
      'credit_added +100 third 130/0',
    ])
  })

  it('rolls nothing that a trial granted, but what rolled before [subscriptions#trials]', () => {
    const trial = { isTrial: true, rollover: rolling(), next }
    expect(linesOf(ending(accountOf([{ id: 'trial', expiresAt: end }]), trial))).toEqual([
      'credit_expired -100 trial 0/0',
      'credit_added +40 next 40/0',
    ])
    const rolled = ending(accountOf([{ id: 'a' }]), { rollover: rolling() }).account
    const again = { ...trial, next: null, cycleAt: end, at: following }
    expect(linesOf(ending(rolled, again))[0]).toBe('credit_rolled_over +56 roll_1 75/0')
  })

  it('leaves a rolled grant with a timeframe that goes on', () => {
    const timeframe = { count: 100, interval: 'Day' as const }
    const first = ending(accountOf([{ id: 'a' }]), { rollover: rolling({ timeframe }) })
    const second = ending(first.account, { cycleAt: end, at: following, rollover: rolling() })
    expect(second.entries).toEqual([])
    expect(idsOf(second)).toEqual(['roll_1'])
  })

  it('leaves what another subscription rolled to that one, though it is due [credits#rollover]', () => {
    const rolled = ending(accountOf([{ id: 'a', of: 'sub_2' }]), {
      subscriptionId: 'sub_2',
      rollover: rolling(),
    })
    const other = ending(rolled.account, { at: following })
    expect(other.entries).toEqual([])
    expect(idsOf(other)).toEqual(['roll_1'])
  })
})

describe('an end in the middle of a cycle', () => {
  it('takes what is left, and the grant with it, even when nothing is [credits#rollover]', () => {
    const account = accountOf([{ id: 'a', type: 'api', expiresAt: at(3) }], 60n)
    const ended = expireGrant(account, 'a', at(3))
    expect(linesOf(ended)).toEqual(['credit_expired -40 a 0/0'])
    expect(ended.entries[0]).toMatchObject({ at: at(3), cause: { inputs: { rule: 'expiry' } } })
    expect(ended.entries[0]?.cause.inputs).toEqual({ rule: 'expiry', grantId: 'a' })
    expect(ended.account).toMatchObject({ grants: [], ended: [{ drawn: 60n }] })
    const empty = accountOf([{ id: 'a', type: 'api', expiresAt: at(3) }], 100n)
    expect(expireGrant(empty, 'a', at(3))).toMatchObject({ entries: [], account: { grants: [] } })
  })

  it('takes that grant and no other, though an earlier one is empty', () => {
    const grants = [
      { id: 'empty', amount: 5n, type: 'api' as const },
      { id: 'due', type: 'api' as const, expiresAt: at(3) },
    ]
    const ended = expireGrant(accountOf(grants, 5n), 'due', at(3))
    expect(linesOf(ended)).toEqual(['credit_expired -100 due 0/0'])
    expect(idsOf(ended)).toEqual(['empty'])
    const rolled = ending(accountOf([{ id: 'api', type: 'api' }, { id: 'a' }]), {
      rollover: rolling(),
    }).account
    const again = { subscriptionId: 'sub_1', nextEnd: null, newGrantId: () => 'roll_2' }
    const second = endRolled(rolled, 'roll_1', { ...again, rollover: rolling(), at: following })
    expect(idsOf(second)).toEqual(['api', 'roll_2'])
    // During a pause the end of the cycle is unknown.
    expect(second.account.grants.at(-1)?.expiresAt).toBeNull()
  })

  it('may be that of a cycle whose subscription ended before [credits#endings]', () => {
    const ended = endLast(accountOf([{ id: 'a', expiresAt: at(3) }]), 'a', at(3))
    expect(linesOf(ended)).toEqual(['credit_expired -100 a 0/0'])
    expect(ended.entries[0]?.cause.inputs).toEqual({ rule: 'last_cycle_end', grantId: 'a' })
  })

  it('is a bug before it is due, and of a grant that is not there', () => {
    const account = accountOf([{ id: 'a', type: 'api', expiresAt: at(3) }])
    expect(() => expireGrant(account, 'a', at(2))).toThrow()
    expect(() => expireGrant(account, 'b', at(3))).toThrow()
  })

  it('of a rolled grant rolls it again below the maximum, else forfeits it [credits#rollover]', () => {
    const timeframe = { count: 10, interval: 'Day' as const }
    const terms = { rollover: rolling({ timeframe, percentage: 50, countMax: 2 }) }
    const first = ending(accountOf([{ id: 'a' }]), terms).account
    const again = { subscriptionId: 'sub_1', nextEnd: following, newGrantId: () => 'roll_2' }
    const second = endRolled(first, 'roll_1', { ...again, ...terms, at: at(40) })
    expect(linesOf(second)).toEqual([
      'credit_rolled_over +25 roll_2 50/0',
      'credit_expired -25 roll_1 25/0',
    ])
    expect(second.account.grants).toMatchObject([{ rolloverCount: 2, expiresAt: at(50) }])
    expect(second.account.base).toEqual(second.account.state)
    const third = endRolled(second.account, 'roll_2', { ...again, ...terms, at: at(50) })
    expect(linesOf(third)).toEqual(['rollover_forfeited -25 roll_2 0/0'])
    const gone = endRolled(first, 'roll_1', { ...again, rollover: off, at: at(40) })
    expect(linesOf(gone)).toEqual(['credit_expired -50 roll_1 0/0'])
    expect(gone.entries[0]?.cause.inputs).toMatchObject({ rule: 'expiry', grantId: 'roll_1' })
    expect(() => endRolled(first, 'roll_1', { ...again, ...terms, at: at(39) })).toThrow()
  })
})
