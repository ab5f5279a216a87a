import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { balanceOf } from '../../../src/rules/accounts/place.ts'
import { worthOf } from '../../../src/rules/accounts/worth.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { powerOfTen } from '../../../src/std/decimal.ts'
import { lineOf, openDesk } from '../../model/credit-programs.ts'
import type { Step } from '../../model/credits.ts'

const grant = (amount: bigint, lives: number | null = null): Step => ({
  kind: 'grant',
  amount,
  lives,
})
const debit = (amount: bigint): Step => ({ kind: 'debit', amount })
const used = (meter: string, worth: bigint): Step => ({ kind: 'usage', meter, worth })
const overage = (limit: bigint | null): Step => ({ kind: 'terms', terms: { overage: true, limit } })
const settle: Step = { kind: 'settle' }
const later = (by: number): Step => ({ kind: 'later', by })

/** The lines of the ledger after a program. */
function ledgerOf(...program: readonly Step[]): readonly string[] {
  const desk = openDesk('as told')
  for (const step of program) desk.run(step)
  return desk.entries.map(lineOf)
}

describe('the worked examples of the contract', () => {
  const units = (count: bigint) => usage(count * powerOfTen(limits.usageScale))

  test('2 500 used, 1 000 free, 1 unit per credit: 1 500 credits [meters#worth]', () => {
    const link = { unitsPerCredit: units(1n), freeThreshold: units(1_000n) }
    expect(worthOf(units(2_500n), link, 0)).toBe(1_500n)
    expect(ledgerOf(grant(2_000n), used('calls 1', 1_500n), settle)).toEqual([
      '1 manual_adjustment +2000 cgr_1 2000/0',
      '2 credit_deducted -1500 cgr_1 500/0',
    ])
  })

  test('1 500 chargeable units at 1 000 units per credit: 1.5 credits [meters#worth]', () => {
    const link = { unitsPerCredit: units(1_000n), freeThreshold: units(1_000n) }
    expect(worthOf(units(2_500n), link, 1)).toBe(15n)
    expect(worthOf(units(2_500n), link, 0)).toBe(1n)
  })

  test('a deduction over two grants writes one entry for each, oldest first [credits#who-pays-first]', () => {
    expect(ledgerOf(grant(10n), grant(20n), used('calls 1', 25n), settle).slice(2)).toEqual([
      '3 credit_deducted -10 cgr_1 20/0',
      '4 credit_deducted -15 cgr_2 5/0',
    ])
  })

  test('overage off: a deduction stops at zero, the rest is lost for charging [credits#overage]', () => {
    const desk = openDesk('as told')
    for (const step of [grant(10n), used('calls 1', 25n), settle, overage(null)]) desk.run(step)
    desk.settle()
    expect(desk.account.state.dropped).toBe(15n)
    expect(desk.account.state.overage).toBe(0n)
    expect(balanceOf(desk.account.state)).toBe(0n)
  })

  test('overage on: the balance goes to 0 and the rest is owed, as its own entry [credits#overage]', () => {
    expect(ledgerOf(overage(null), grant(10n), used('calls 1', 25n), settle).slice(1)).toEqual([
      '2 credit_deducted -10 cgr_1 0/0',
      '3 credit_deducted -15 overage 0/15',
    ])
  })

  test('overage grows up to its limit and the rest is dropped [credits#overage]', () => {
    const desk = openDesk('as told')
    for (const step of [overage(12n), grant(10n), used('calls 1', 25n), settle]) desk.run(step)
    expect(desk.account.state.overage).toBe(12n)
    expect(desk.account.state.dropped).toBe(3n)
  })

  test('a limit lowered beneath what is owed forgives nothing and adds nothing', () => {
    const desk = openDesk('as told')
    const program = [overage(null), used('calls 1', 20n), settle, overage(5n)]
    for (const step of [...program, used('calls 1', 30n), settle]) desk.run(step)
    expect(desk.account.state.overage).toBe(20n)
    expect(desk.account.state.dropped).toBe(10n)
  })

  test('what was dropped before a grant is never charged to it [machines#settling]', () => {
    const desk = openDesk('as told')
    for (const step of [used('calls 1', 5n), grant(10n), settle]) desk.run(step)
    expect(balanceOf(desk.account.state)).toBe(10n)
    desk.run(used('calls 1', 6n))
    desk.settle()
    expect(balanceOf(desk.account.state)).toBe(9n)
  })
})

describe('falling usage [meters#falling-usage]', () => {
  test('reduces what was dropped, then overage, then goes back to grants, youngest first', () => {
    const program = [overage(4n), grant(10n), grant(10n), used('seats 1', 30n), settle]
    expect(ledgerOf(...program, used('seats 1', 12n), settle).slice(5)).toEqual([
      '6 refund +4 overage 0/0',
      '7 refund +8 cgr_2 8/0',
    ])
  })

  test('gives back only what usage drew, and remembers the rest for the next rise', () => {
    const desk = openDesk('as told')
    const program = [grant(10n), used('seats 1', 4n), debit(6n), used('seats 1', -3n), settle]
    for (const step of program) desk.run(step)
    expect(balanceOf(desk.account.state)).toBe(4n)
    expect(desk.account.state.unreturned).toBe(3n)
    desk.run(used('seats 1', 2n))
    desk.settle()
    expect(balanceOf(desk.account.state)).toBe(2n)
    expect(desk.account.state.unreturned).toBe(0n)
  })

  test('in one settling the falls of one meter come before the rises of another', () => {
    const program = [grant(10n), used('seats 1', 6n), settle, used('calls 1', 7n)]
    expect(ledgerOf(...program, used('seats 1', 1n), settle).slice(2)).toEqual([
      '3 refund +5 cgr_1 9/0',
      '4 credit_deducted -7 cgr_1 2/0',
    ])
  })
})

describe('manual debits [resources#adjustments, credits#who-pays-first, credits#ledger]', () => {
  test('over two grants: two entries, oldest first', () => {
    expect(ledgerOf(grant(10n), grant(10n), debit(15n)).slice(2)).toEqual([
      '3 manual_adjustment -10 cgr_1 10/0',
      '4 manual_adjustment -5 cgr_2 5/0',
    ])
  })

  test('skip a grant from its expiry on, though its end is not applied yet', () => {
    const program = [grant(10n, 2), grant(10n), later(2), debit(5n)]
    expect(ledgerOf(...program).slice(2)).toEqual(['3 manual_adjustment -5 cgr_2 15/0'])
    const before = [grant(10n, 2), grant(10n), later(1), debit(5n)]
    expect(ledgerOf(...before).slice(2)).toEqual(['3 manual_adjustment -5 cgr_1 15/0'])
  })

  test('over the balance are refused and change nothing; all of it is allowed', () => {
    const desk = openDesk('at commands')
    for (const step of [grant(10n), used('calls 1', 4n), debit(7n)]) desk.run(step)
    expect(desk.refused).toBe(1)
    expect(desk.entries).toHaveLength(1)
    desk.run(debit(6n))
    expect(desk.refused).toBe(1)
    expect(balanceOf(desk.account.state)).toBe(0n)
  })

  test('never use overage, however much of it is allowed', () => {
    const desk = openDesk('as told')
    for (const step of [overage(null), grant(10n), debit(11n)]) desk.run(step)
    expect(desk.refused).toBe(1)
    expect(desk.account.state.overage).toBe(0n)
  })
})
