import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/rules/accounts/entry.ts'
import { balanceOf as held } from '../../../src/rules/accounts/place.ts'
import type { Desk, Pace } from '../../model/credit-programs.ts'
import { expectedOf, openDesk, outcomeOf, programs } from '../../model/credit-programs.ts'
import type { Step } from '../../model/credits.ts'
import { replay } from '../../model/credits.ts'
import { runs } from '../../support/run/runs.ts'

const paces: readonly Pace[] = ['always', 'at commands', 'as told']
const often = runs(400)

describe('settling and commands, against a model that replays the whole history', () => {
  test.each(paces)('settled %s, every step ends where the model says', (pace) => {
    fc.assert(
      fc.property(programs(), (program) => {
        const desk = openDesk(pace)
        program.forEach((step, index) => {
          desk.run(step)
          const model = replay(program.slice(0, index + 1))
          expect(outcomeOf(desk)).toEqual(expectedOf(model))
        })
      }),
      often,
    )
  })

  test('one history settled always, at commands or now and then ends in equal books [guarantees#determinism]', () => {
    fc.assert(
      fc.property(programs(), (program) => {
        const [first, ...others] = paces.map((pace) => ran(pace, program))
        for (const other of others) {
          expect(outcomeOf(other)).toEqual(first === undefined ? null : outcomeOf(first))
          expect(other.books.grants).toEqual(first?.books.grants)
        }
      }),
      often,
    )
  })

  test('settling a second time does nothing', () => {
    fc.assert(
      fc.property(programs(), (program) => {
        const desk = ran('as told', program)
        const entries = desk.entries.length
        desk.settle()
        expect(desk.entries).toHaveLength(entries)
      }),
    )
  })

  test('after every step nothing was lost and nothing made [guarantees#books-that-add-up]', () => {
    fc.assert(
      fc.property(programs(), (program) => {
        const desk = openDesk('as told')
        const worths = new Map<string, bigint>()
        for (const step of program) {
          if (step.kind === 'usage') worths.set(step.meter, step.worth)
          desk.run(step)
          expectConserved(desk)
        }
        desk.settle()
        const charged = sum(desk.account.charges.map((charge) => charge.charged))
        expect(charged).toBe(sum([...worths.values()]))
      }),
      often,
    )
  })
})

describe('the entries of a settling', () => {
  test('say which meter, cycle and route they are for, and from what worth to what', () => {
    const desk = openDesk('as told')
    const program: readonly Step[] = [
      { kind: 'terms', terms: { overage: true, limit: null } },
      { kind: 'usage', meter: 'calls 1 a', worth: 1_250n },
      { kind: 'settle' },
      { kind: 'usage', meter: 'calls 1 a', worth: 1_200n },
      { kind: 'settle' },
    ]
    for (const step of program) desk.run(step)
    expect(desk.entries.map((entry) => entry.cause)).toMatchObject([
      { referenceType: 'meter', referenceId: 'calls', inputs: { rule: 'usage_deducted' } },
      { referenceType: 'meter', referenceId: 'calls', inputs: { rule: 'usage_returned' } },
    ])
    expect(desk.entries[1]?.cause.inputs).toEqual({
      rule: 'usage_returned',
      routeId: 'a',
      meterId: 'calls',
      cycleAt: 1_000_000,
      worthBefore: '12.5',
      worthAfter: '12',
      worthAtBase: '0',
      droppedInCycle: '0',
    })
  })

  test('each moves one grant or the overage by its amount, and says which way', () => {
    fc.assert(
      fc.property(programs(), (program) => {
        for (const entry of ran('as told', program).entries) {
          const balance = entry.balanceAfter - entry.balanceBefore
          const overage = entry.overageAfter - entry.overageBefore
          expect(entry.amount).toBe(size(balance) + size(overage))
          expect(entry.amount > 0n).toBe(true)
          expect(entry.grantId === null ? balance : overage).toBe(0n)
          expect(entry.isCredit).toBe(balance > 0n || overage < 0n)
        }
      }),
    )
  })

  test('a settling writes its falls first, each grant at most once a meter, in order', () => {
    fc.assert(
      fc.property(programs(), (program) => {
        const desk = openDesk('as told')
        for (const step of program) {
          const before = desk.entries.length
          desk.run(step)
          if (step.kind === 'settle') expectOrdered(desk.entries.slice(before))
        }
      }),
      often,
    )
  })
})

function ran(pace: Pace, program: readonly Step[]): Desk {
  const desk = openDesk(pace)
  for (const step of program) desk.run(step)
  desk.settle()
  return desk
}

function expectConserved({ account, books, entries }: Desk): void {
  const moved = (types: readonly string[], of: 'balance' | 'overage'): bigint =>
    sum(
      entries
        .filter((entry) => types.includes(entry.type))
        .map((entry) =>
          of === 'balance'
            ? entry.balanceAfter - entry.balanceBefore
            : entry.overageAfter - entry.overageBefore,
        ),
    )
  const { state, charges } = account
  const granted = sum(account.grants.map((grant) => grant.initial))
  const consumed = -moved(['credit_deducted', 'refund'], 'balance')
  const debited = granted - moved(['manual_adjustment'], 'balance')
  expect(granted).toBe(consumed + debited + held(state))
  expect(consumed).toBe(sum(state.holdings.map((holding) => holding.drawn)))
  expect(state.overage).toBe(moved(['credit_deducted', 'refund'], 'overage'))
  const settled = sum(charges.map((charge) => charge.charged))
  expect(settled).toBe(consumed + state.overage + state.dropped - state.unreturned)
  expect(books.entries).toBe(account.entries)
  expect(books.balance).toBe(held(state))
  expect(books.overage).toBe(state.overage)
  expect([...books.grants.values()]).toEqual(state.holdings.map((holding) => holding.remaining))
}

/**
 * Falls before rises; inside one meter's, rises oldest first, falls overage then youngest first.
 */
function expectOrdered(entries: readonly Entry[]): void {
  const kinds = entries.map((entry) => entry.type)
  expect(kinds).toEqual(kinds.toSorted((a, b) => b.localeCompare(a)))
  const byMeter = new Map<string, Entry[]>()
  for (const entry of entries) {
    const { inputs } = entry.cause
    if (inputs?.rule !== 'usage_deducted' && inputs?.rule !== 'usage_returned') continue
    const { routeId, cycleAt } = inputs
    const key = `${entry.cause.referenceId} ${routeId} ${cycleAt}`
    byMeter.set(key, [...(byMeter.get(key) ?? []), entry])
  }
  for (const own of byMeter.values()) {
    const ranks = own.map((entry) => rankOf(entry))
    expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b))
  }
}

function rankOf({ type, grantId }: Entry): number {
  const number = grantId === null ? null : Number(grantId.slice('cgr_'.length))
  if (type === 'credit_deducted') return number ?? Number.POSITIVE_INFINITY
  return number === null ? Number.NEGATIVE_INFINITY : -number
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)
const sum = (values: readonly bigint[]): bigint => values.reduce((all, each) => all + each, 0n)
