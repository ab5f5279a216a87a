import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { sealing } from '../../src/parts/store/postgres/usage/sealing.ts'
import { voids } from '../../src/parts/store/postgres/usage/voids.ts'
import { usage } from '../../src/rules/meter/route.ts'
import { addIntervals } from '../../src/std/calendar.ts'
import type { Instant } from '../../src/std/instant.ts'
import { hour, after as later, minute } from '../../src/std/instant.ts'
import { expectedOf, programs } from '../model/credit-programs.ts'
import type { Step } from '../model/credits.ts'
import { replay } from '../model/credits.ts'
import { runs } from '../support/run/runs.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { february, january, scratchStore } from '../support/store/scratch-store.ts'
import type { ProgramLog } from './program-run.ts'
import { beginRun, sellable, sentencesOf } from './program-run.ts'
import { aMonthOf, sealedAccounts } from './sealed-accounts.ts'

const overageThatIsAllowedNoMore: Step[] = [
  { kind: 'terms', terms: { overage: true, limit: null } },
  { kind: 'usage', meter: 'calls 1 a', worth: 1n },
  { kind: 'terms', terms: { overage: false, limit: null } },
]

describe('sealing', () => {
  let store: ScratchStore
  let of: ReturnType<typeof sealedAccounts>
  const log: ProgramLog = { next: 0 }

  beforeAll(async () => {
    store = await scratchStore()
    await holdPartition(store, 0)
    of = sealedAccounts(store, log)
  })
  afterAll(() => store.drop())

  test('at any time changes no answer, whatever comes after it', async () => {
    let sealed = 0
    await fc.assert(
      fc.asyncProperty(programs().map(sellable), async (program) => {
        const [run, plain] = [await beginRun(store, log), await beginRun(store, log)]
        for (const step of program) {
          await run.step(step)
          await plain.step(step)
          sealed += await of.sealAll()
          // Keeps `plain` from being sealed.
          await store.db.query(sql`
            update usage set sealed = false where customer_id = ${plain.key.customerId}`)
        }
        expect(await run.outcome()).toEqual(expectedOf(replay(program, true)))
        for (const one of [run, plain]) await one.step({ kind: 'settle' })
        expect(await run.outcome()).toEqual(await plain.outcome())
        expect(await of.entriesOf(run.key)).toEqual(await of.entriesOf(plain.key))
        expect(await run.sentences()).toEqual([])
      }),
      { ...runs(30), examples: [[overageThatIsAllowedNoMore]] },
    )
    expect(sealed).toBeGreaterThan(0)
  }, 240_000)

  describe('leaves open', () => {
    it('the cycle that the account is in', async () => {
      const key = await of.account()
      await of.measure(key, { cycleAt: february, segmentAt: february })
      await of.command(key, february)
      await of.sealAll()
      expect((await of.viewOf(key)).usage).toHaveLength(1)
    })

    it('what is not settled, or was charged for since the last command', async () => {
      const key = await of.account()
      await of.measure(key, { value: '5' })
      await of.sealAll()
      expect((await of.viewOf(key)).usage).toHaveLength(1)
      await of.settle(key, february)
      await of.sealAll()
      expect((await of.viewOf(key)).stored?.account.charges).toHaveLength(1)
      await of.command(key, february)
      await of.sealAll()
      expect((await of.viewOf(key)).usage).toEqual([])
      expect((await of.viewOf(key)).stored?.account.charges).toEqual([])
    })

    it('a cycle that closed after the moment that is asked for', async () => {
      const key = await of.account()
      await of.measure(key, {})
      await of.command(key, february)
      await of.sealAll(later(february, -1))
      expect((await of.viewOf(key)).usage).toHaveLength(1)
      await of.sealAll(february)
      expect((await of.viewOf(key)).usage).toEqual([])
    })

    it('an account that was set aside', async () => {
      const key = await of.account()
      await of.measure(key, {})
      await of.command(key, february)
      const { stored } = await of.viewOf(key)
      await store.accounts.setAside(key, stored?.accountId ?? '', 'a reason')
      await of.sealAll()
      expect((await of.viewOf(key)).usage).toHaveLength(1)
    })

    it('a row that somebody is writing, without waiting for it', async () => {
      const key = await of.account()
      await of.measure(key, {})
      await of.command(key, february)
      await store.db.transaction(async (tx) => {
        await tx.query(sql`
          select from usage where customer_id = ${key.customerId} for update`)
        await of.sealAll()
      })
      expect((await of.viewOf(key)).usage).toHaveLength(1)
    })
  })

  it('seals a few rows at a time, whatever else the same accounts have', async () => {
    const [key, waiting] = [await of.account(), await of.account()]
    await of.sealAll()
    await of.measure(key, ...aMonthOf(january))
    await of.measure(waiting, ...aMonthOf(january))
    await of.command(key, february)
    const request = { behind: '', accountsMax: 1_000, rowsMax: 10, upTo: february }
    const sealed: number[] = []
    for (let last: string | null = ''; last === ''; ) {
      const answer = await sealing(store.db).seal(request)
      sealed.push(answer.rows)
      last = answer.last
    }
    expect(sealed).toEqual([10, 10, 6])
    expect((await of.viewOf(key)).usage).toEqual([])
    expect((await of.viewOf(waiting)).usage).toHaveLength(26)
  })

  it('keeps sealed usage for whoever asks for the whole account', async () => {
    const key = await of.account()
    await of.measure(key, { value: '5' }, { value: '7', meterId: 'mtr_bytes' })
    await of.command(key, february)
    const before = await of.viewOf(key)
    await of.sealAll()
    expect(before.usage).toHaveLength(2)
    expect(await of.viewOf(key, 'whole')).toEqual(before)
    expect((await of.viewOf(key)).subscriptions).toEqual([])
  })

  it('charges late usage of a sealed cycle by the threshold of the whole cycle', async () => {
    const key = await of.account({ free: '10' })
    await of.measure(key, { value: '8' })
    await of.command(key, february)
    await of.sealAll()
    const before = await of.balance(key)
    await of.measure(key, { value: '5', events: 1, segmentAt: later(january, hour) })
    expect((await of.viewOf(key)).usage).toHaveLength(2)
    expect(await of.balance(key)).toBe(before - 3n)
  })

  it('gives back what is voided of a sealed cycle', async () => {
    const key = await of.account()
    await of.measure(key, { value: '8' }, { value: '5', meterId: 'mtr_bytes' })
    await of.command(key, february)
    await of.sealAll()
    const before = await of.balance(key)
    const outcome = await voids(store.db).record(key, {
      eventId: 'evt',
      timestamp: january,
      customerId: key.customerId,
      reason: 'a test',
      at: february,
      clockAhead: 0,
      receivedAt: january,
      usage: [
        {
          ...key,
          routeId: key.entitlementId,
          meterId: 'mtr_calls',
          cycleAt: january,
          segmentAt: january,
          logHour: 0,
          aggregation: 'sum',
          fold: {
            aggregation: 'sum',
            events: 1,
            last: null,
            value: usage(8n * 10n ** 18n),
          },
        },
      ],
    })
    expect(outcome).toBe('voided')
    expect((await of.viewOf(key)).usage).toMatchObject([{ meterId: 'mtr_calls', value: '0' }])
    expect(await of.balance(key)).toBe(before + 8n)
  })

  it('bounds what is loaded of an account, however old it is', async () => {
    const key = await of.account()
    await store.db.query(sql`
      update accounts set own_cycle_at = to_timestamp(${january / 1e6})
      where customer_id = ${key.customerId}`)
    const loaded: number[] = []
    for (let month = 0; month < 24; month += 1) {
      const start = addMonths(january, month)
      await of.measure(key, ...aMonthOf(start))
      await of.settle(key, later(start, minute))
      const end = addMonths(january, month + 1)
      await of.endMonth(key, end)
      await of.settle(key, end)
      await of.sealAll(end)
      const { usage: rows, stored } = await of.viewOf(key)
      loaded.push(rows.length + (stored?.account.charges.length ?? 0))
    }
    expect(loaded).toEqual(loaded.map(() => 0))
    const whole = await of.viewOf(key, 'whole')
    expect(whole.usage).toHaveLength(24 * 26)
    expect(whole.stored?.account.charges).toHaveLength(24 * 3)
    expect(await sentencesOf(store, key)).toEqual([])
  })
})

const addMonths = (from: Instant, count: number): Instant =>
  addIntervals(from, { count: 1, interval: 'Month' }, count)
