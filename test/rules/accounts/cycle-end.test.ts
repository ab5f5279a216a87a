import { describe, expect, it } from 'vitest'
import type { Account } from '../../../src/rules/accounts/account.ts'
import { emptyAccount } from '../../../src/rules/accounts/account.ts'
import { grant } from '../../../src/rules/accounts/commands.ts'
import { credits } from '../../../src/rules/accounts/credits.ts'
import { resetCycle } from '../../../src/rules/accounts/cycle-end.ts'
import type { Early } from '../../../src/rules/accounts/early-end.ts'
import { emptyReplay } from '../../../src/rules/accounts/replay.ts'
import { settle } from '../../../src/rules/accounts/settle.ts'
import type { OverageBehavior } from '../../../src/rules/commerce/catalog/credit-settings.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { replayed } from '../../support/billing/replayed.ts'
import {
  accountOf,
  at,
  begin,
  behaviors,
  command,
  end,
  ending,
  idsOf,
  linesOf,
  next,
  rolling,
} from './cycles.ts'

describe('what a cycle end expires [credits#cycle-end]', () => {
  it('is all that its cycle issued, whatever its expiry says, and of cycles before', () => {
    const grants = [
      { id: 'never' },
      { id: 'later', expiresAt: at(300) },
      { id: 'before', cycleAt: at(-10) },
    ]
    expect(linesOf(ending(accountOf(grants)))).toEqual([
      'credit_expired -100 never 200/0',
      'credit_expired -100 later 100/0',
      'credit_expired -100 before 0/0',
    ])
    expect(ending(accountOf(grants)).entries[0]?.cause).toMatchObject({
      referenceType: 'subscription',
      referenceId: 'sub_1',
      inputs: { rule: 'cycle_end', endedAt: end },
    })
  })

  it('is nothing that a purchase, an add-on, the API or another subscription gave', () => {
    const kept = [
      { id: 'api', type: 'api' as const },
      { id: 'one', type: 'one_time' as const },
      { id: 'addon', type: 'addon' as const },
      { id: 'other', of: 'sub_2' },
      { id: 'coming', cycleAt: end },
      { id: 'endless', cycleAt: null },
    ]
    const ended = ending(accountOf(kept), { rollover: rolling() })
    expect(ended.entries).toEqual([])
    expect(idsOf(ended)).toEqual(['api', 'one', 'addon', 'other', 'coming', 'endless'])
  })

  it('is also whatever is due by its own expiry then', () => {
    const grants = [
      { id: 'due', type: 'api' as const, expiresAt: end },
      { id: 'not yet', type: 'api' as const, expiresAt: instantOf(end + 1) },
    ]
    expect(linesOf(ending(accountOf(grants)))).toEqual(['credit_expired -100 due 100/0'])
  })

  it('rolls nothing of a grant that its expiry ended sooner', () => {
    const sooner = [{ id: 'old', expiresAt: instantOf(end - 1) }]
    expect(linesOf(ending(accountOf(sooner), { rollover: rolling() }))).toEqual([
      'credit_expired -100 old 0/0',
    ])
    const then = ending(accountOf([{ id: 'old', expiresAt: end }]), { rollover: rolling() })
    expect(linesOf(then)[0]).toBe('credit_rolled_over +75 roll_1 100/0')
  })
})

describe('overage at a cycle end [credits#overage, meters#who-takes-the-usage, credits#cycle-end]', () => {
  const owing = (): Account => accountOf([{ id: 'old', amount: 10n }], 25n)
  const by = (behavior: OverageBehavior | null, account = owing()) =>
    ending(account, { overage: behavior === null ? null : { behavior }, next })

  it('is forgiven', () => {
    const ended = by(behaviors.forgive)
    expect(linesOf(ended)).toEqual(['overage_reset +15 overage 0/0', 'credit_added +40 next 40/0'])
    expect(ended.entries[0]?.cause.inputs).toEqual({
      rule: 'overage_reset',
      behavior: 'forgive_at_reset',
    })
  })

  it('is billed, which moves nothing, and reset', () => {
    const ended = by(behaviors.invoice)
    expect(linesOf(ended)).toEqual([
      'overage_charged -15 overage 0/15',
      'overage_reset +15 overage 0/0',
      'credit_added +40 next 40/0',
    ])
    expect(ended.entries[0]?.cause.inputs).toEqual({ rule: 'overage_charged', overage: '15' })
  })

  it('is carried, and paid by nobody', () => {
    expect(linesOf(by(behaviors.carry))).toEqual(['credit_added +40 next 40/15'])
  })

  it('is carried, and repaid by the new cycle’s own grant alone, after it was added', () => {
    const other = accountOf([{ id: 'old', amount: 10n }], 25n)
    const helped = grant(other, command({ id: 'api', type: 'api' }), begin).account
    const ended = by(behaviors.repay, helped)
    expect(linesOf(ended)).toEqual([
      'credit_added +40 next 140/15',
      'credit_deducted -15 next 125/0',
    ])
    const [added, repaid] = ended.entries
    // The entry has the same reference as its grant, and says which cycle's end it is.
    expect(repaid?.cause).toEqual({
      ...added?.cause,
      inputs: { rule: 'auto_repayment', overage: '15', grantId: added?.grantId, endedAt: end },
    })
    expect(ended.account.entries).toBe(helped.entries + 2)
    expect(ended.account.state.holdings.map(({ remaining }) => remaining)).toEqual([100n, 25n])
    // What a grant repaid is not usage, so nothing gives it back.
    expect(ended.account.state.holdings.map(({ drawn }) => drawn)).toEqual([0n, 0n])
  })

  it('repays no more than the grant holds', () => {
    const ended = by(behaviors.repay, accountOf([], 90n))
    expect(linesOf(ended).at(-1)).toBe('credit_deducted -40 next 0/50')
    const none = by(behaviors.repay, accountOf([{ id: 'old' }], 5n))
    expect(linesOf(none)).toEqual(['credit_expired -95 old 0/0', 'credit_added +40 next 40/0'])
  })

  it('is none of its business where another subscription governs', () => {
    const ended = by(null, accountOf([{ id: 'old', amount: 10n }], 25n))
    expect(linesOf(ended)).toEqual(['credit_added +40 next 40/15'])
  })

  it('without a new grant repays nothing, and without overage resets nothing', () => {
    const overage = { behavior: behaviors.repay }
    expect(ending(owing(), { overage }).entries).toEqual([])
    const even = ending(accountOf([], 0n), { overage: { behavior: behaviors.invoice } })
    expect(even.entries).toEqual([])
  })
})

describe('a cycle end', () => {
  it('keeps the order: rolled and forfeited, expired, charged, reset, added [credits#cycle-end]', () => {
    const mixed = accountOf([{ id: 'a', amount: 10n }], 12n)
    const more = [command({ id: 'b', amount: 20n }), command({ id: 'c', amount: 8n })]
    const account = more.reduce((sofar, each) => grant(sofar, each, begin).account, mixed)
    const ended = ending(account, {
      rollover: rolling({ percentage: 50 }),
      overage: { behavior: behaviors.invoice },
      next,
    })
    expect(linesOf(ended)).toEqual([
      'credit_rolled_over +10 roll_1 28/2',
      'credit_rolled_over +4 roll_2 28/2',
      'credit_expired -10 b 18/2',
      'credit_expired -4 c 14/2',
      'overage_charged -2 overage 14/2',
      'overage_reset +2 overage 14/0',
      'credit_added +40 next 54/0',
    ])
    expect(ended.entries.map(({ number }) => number)).toEqual(
      ended.entries.map((_, index) => account.entries + index + 1),
    )
  })

  it('that a change of plans brings sooner is named by all that it ends [credits#overage]', () => {
    const early = { by: 'plan_change', subscriptionId: 'sub_1' } as const
    const named = { endedBy: 'plan_change', subscriptionId: 'sub_1' }
    const owing = accountOf([{ id: 'a', amount: 10n }], 25n)
    const mixed = grant(owing, command({ id: 'b', amount: 20n }), begin).account
    const told = (behavior: OverageBehavior) =>
      ending(mixed, { early, rollover: rolling(), overage: { behavior }, next }).entries.map(
        ({ type, cause }) => {
          const inputs: Early & object = cause.inputs ?? {}
          return [type, inputs.endedBy, inputs.subscriptionId]
        },
      )
    const of = (type: string) => [type, named.endedBy, named.subscriptionId]
    const ended = [of('credit_rolled_over'), of('credit_expired')]
    const added = ['credit_added', undefined, undefined]
    expect(told(behaviors.invoice)).toEqual([
      ...[...ended, of('overage_charged'), of('overage_reset'), added],
    ])
    expect(told(behaviors.repay)).toEqual([...ended, added, of('credit_deducted')])
    const full = accountOf([{ id: 'a' }])
    const forfeited = ending(full, { early, rollover: rolling({ countMax: 0 }) }).entries
    expect(forfeited.map(({ cause }) => cause.inputs)).toMatchObject([named])
    expect(ending(full, { rollover: rolling() }).entries[0]?.cause.inputs).not.toHaveProperty(
      'endedBy',
    )
  })

  it('starts dropped and unreturned at 0, and keeps them in the books [machines#settling]', () => {
    const dropped = accountOf([], 25n, 10n)
    const ended = ending(dropped, { overage: { behavior: behaviors.forgive } }).account
    expect([ended.state.dropped, ended.base.dropped, ended.closed.dropped]).toEqual([0n, 0n, 15n])
    const others = ending(dropped).account
    expect([others.state.dropped, others.base.dropped, others.closed.dropped]).toEqual([
      15n,
      15n,
      0n,
    ])
    const month = resetCycle(dropped, { behavior: behaviors.carry }, end)
    expect(month.account.closed.dropped).toBe(15n)
    expect([month.account.state.overage, month.entries]).toEqual([10n, []])
    const fallen = settle(
      accountOf([]),
      {
        overage: dropped.overageTerms,
        worths: [{ routeId: 'r', meterId: 'm', cycleAt: begin, worth: credits(-4n) }],
      },
      begin,
    ).account
    const after = ending(fallen, { overage: { behavior: behaviors.forgive } }).account
    expect([after.state.unreturned, after.closed.unreturned]).toEqual([0n, 4n])
  })

  it('is the fold of its entries [guarantees#books-that-add-up]', () => {
    const given = [grant(emptyAccount(0), command({ id: 'a' }), begin)].flatMap(
      ({ entries }) => entries,
    )
    const ended = ending(accountOf([{ id: 'a' }]), { rollover: rolling(), next })
    const books = replayed(replayed(emptyReplay, given), ended.entries)
    expect(books.balance).toBe(115n)
    expect(Object.fromEntries(books.grants)).toEqual({ a: 0n, roll_1: 75n, next: 40n })
  })
})
