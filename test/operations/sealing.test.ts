import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { accountIdOf } from '../../src/operations/accounts/account-id.ts'
import { adjustBalance } from '../../src/operations/accounts/adjust-balance.ts'
import { applyBoundary } from '../../src/operations/boundaries/apply-boundary.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { sealing } from '../../src/parts/store/postgres/usage/sealing.ts'
import { voids } from '../../src/parts/store/postgres/usage/voids.ts'
import { changeOf } from '../../src/rules/accounts/change.ts'
import { balanceOf } from '../../src/rules/accounts/place.ts'
import { readAccount } from '../../src/rules/accounts/read-account.ts'
import type { AccountKey, AccountView } from '../../src/rules/accounts/view.ts'
import { usage } from '../../src/rules/meter/route.ts'
import { addIntervals } from '../../src/std/calendar.ts'
import type { Instant } from '../../src/std/instant.ts'
import { day, hour, after as later, minute } from '../../src/std/instant.ts'
import { expectedOf, programs } from '../model/credit-programs.ts'
import type { Step } from '../model/credits.ts'
import { replay } from '../model/credits.ts'
import type { Increment, ScratchStore } from '../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  january,
  measuredOf,
  scratchStore,
  sliceOf,
} from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'
import type { ProgramLog } from './program-run.ts'
import { beginRun, sellable, sentencesOf } from './program-run.ts'

const overageThatIsAllowedNoMore: Step[] = [
  { kind: 'terms', terms: { overage: true, limit: null } },
  { kind: 'usage', meter: 'calls 1 a', worth: 1n },
  { kind: 'terms', terms: { overage: false, limit: null } },
]

const farFuture = later(february, 4_000 * day)

describe('sealing', () => {
  let store: ScratchStore
  const log: ProgramLog = { next: 0 }

  beforeAll(async () => {
    store = await scratchStore()
    await store.measuring.take(0, 'log', 'ns')
  })
  afterAll(() => store.drop())

  /** Goes round all accounts once; how many rows it sealed. */
  async function sealAll(upTo: Instant = farFuture): Promise<number> {
    let rows = 0
    let behind = ''
    for (;;) {
      const sealed = await sealing(store.db).seal({ behind, accountsMax: 20, upTo })
      rows += sealed.rows
      if (sealed.last === null) return rows
      behind = sealed.last
    }
  }

  test('at any time changes no answer, whatever comes after it', async () => {
    let sealed = 0
    await fc.assert(
      fc.asyncProperty(programs().map(sellable), async (program) => {
        const [run, plain] = [await beginRun(store, log), await beginRun(store, log)]
        for (const step of program) {
          await run.step(step)
          await plain.step(step)
          sealed += await sealAll()
          // `plain` is never sealed.
          await store.db.query(sql`
            update usage set sealed = false where customer_id = ${plain.key.customerId}`)
        }
        expect(await run.outcome()).toEqual(expectedOf(replay(program, true)))
        for (const one of [run, plain]) await one.step({ kind: 'settle' })
        expect(await run.outcome()).toEqual(await plain.outcome())
        expect(await entriesOf(run.key)).toEqual(await entriesOf(plain.key))
        expect(await run.sentences()).toEqual([])
      }),
      { numRuns: 30, examples: [[overageThatIsAllowedNoMore]] },
    )
    expect(sealed).toBeGreaterThan(0)
  }, 240_000)

  async function entriesOf(key: AccountKey) {
    return store.db.query(sql`
      select e.number, e.transaction_type, e.amount, e.balance_before, e.balance_after,
        e.overage_before, e.overage_after, e.created_at
      from ledger_entries e join accounts a using (account_id)
      where (a.business_id, a.customer_id) = (${key.businessId}, ${key.customerId})
      order by e.number`)
  }

  async function account(parts: { readonly free?: string } = {}): Promise<AccountKey> {
    const scope = await store.business()
    const entitlementId = await store.entitlement(scope)
    const key = { ...scope, customerId: await store.customer(scope), entitlementId }
    if (parts.free !== undefined) {
      await store.db.query(sql`
        update credit_entitlements set stretches = jsonb_set(
          stretches, '{0,links,0,free_threshold}', to_jsonb(${parts.free}::text))
        where credit_entitlement_id = ${entitlementId}`)
    }
    await command(key, february)
    return key
  }

  /** A command: it settles and rebases. */
  const command = (key: AccountKey, at: Instant) =>
    adjustBalance(atMoment(at, store), {
      key,
      type: 'credit',
      amount: '1000',
      reason: null,
      expiresAt: null,
      idempotencyKey: null,
      metadata: null,
    })

  async function measure(key: AccountKey, ...rows: readonly Partial<Increment>[]): Promise<void> {
    const slice = sliceOf({ start: log.next })
    log.next = slice.end
    const increments = rows.map((row) => incrementOf(key, row))
    await store.measuring.commit(
      measuredOf({ slices: [slice], usage: increments, accounts: [key] }),
    )
  }

  async function viewOf(key: AccountKey, extent?: 'whole'): Promise<AccountView> {
    const [view] = await store.accounts.load([key], extent)
    if (view === undefined) throw new Error('No view.')
    return view
  }

  async function settle(key: AccountKey, at: Instant): Promise<void> {
    const request = { at, decide: () => null, idempotencyKey: null }
    const change = changeOf({ ...store, accountIdOf }, await viewOf(key), request)
    expect((await store.changes.commitEach([change])).size).toBe(1)
  }

  const balance = async (key: AccountKey): Promise<bigint> => {
    const read = readAccount(await viewOf(key), february, accountIdOf)
    return read === null ? 0n : balanceOf(read.account.state)
  }

  describe('leaves open', () => {
    it('the cycle that the account is in', async () => {
      const key = await account()
      await measure(key, { cycleAt: february, segmentAt: february })
      await command(key, february)
      await sealAll()
      expect((await viewOf(key)).usage).toHaveLength(1)
    })

    it('what is not settled, or was charged for since the last command', async () => {
      const key = await account()
      await measure(key, { value: '5' })
      await sealAll()
      expect((await viewOf(key)).usage).toHaveLength(1)
      await settle(key, february)
      await sealAll()
      expect((await viewOf(key)).stored?.account.charges).toHaveLength(1)
      await command(key, february)
      await sealAll()
      expect((await viewOf(key)).usage).toEqual([])
      expect((await viewOf(key)).stored?.account.charges).toEqual([])
    })

    it('a cycle that closed after the moment that is asked for', async () => {
      const key = await account()
      await measure(key, {})
      await command(key, february)
      await sealAll(later(february, -1))
      expect((await viewOf(key)).usage).toHaveLength(1)
      await sealAll(february)
      expect((await viewOf(key)).usage).toEqual([])
    })

    it('an account that was set aside', async () => {
      const key = await account()
      await measure(key, {})
      await command(key, february)
      const { stored } = await viewOf(key)
      await store.accounts.setAside(key, stored?.accountId ?? '', 'a reason')
      await sealAll()
      expect((await viewOf(key)).usage).toHaveLength(1)
    })

    it('a row that somebody is writing, without waiting for it', async () => {
      const key = await account()
      await measure(key, {})
      await command(key, february)
      await store.db.transaction(async (tx) => {
        await tx.query(sql`
          select from usage where customer_id = ${key.customerId} for update`)
        await sealAll()
      })
      expect((await viewOf(key)).usage).toHaveLength(1)
    })
  })

  it('keeps sealed usage for whoever asks for the whole account', async () => {
    const key = await account()
    await measure(key, { value: '5' }, { value: '7', meterId: 'mtr_bytes' })
    await command(key, february)
    const before = await viewOf(key)
    await sealAll()
    expect(before.usage).toHaveLength(2)
    expect(await viewOf(key, 'whole')).toEqual(before)
    expect((await viewOf(key)).subscriptions).toEqual([])
  })

  it('charges late usage of a sealed cycle by the threshold of the whole cycle', async () => {
    const key = await account({ free: '10' })
    await measure(key, { value: '8' })
    await command(key, february)
    await sealAll()
    const before = await balance(key)
    await measure(key, { value: '5', events: 1, segmentAt: later(january, hour) })
    expect((await viewOf(key)).usage).toHaveLength(2)
    expect(await balance(key)).toBe(before - 3n)
  })

  it('gives back what is voided of a sealed cycle', async () => {
    const key = await account()
    await measure(key, { value: '8' }, { value: '5', meterId: 'mtr_bytes' })
    await command(key, february)
    await sealAll()
    const before = await balance(key)
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
          ...{ routeId: key.entitlementId, meterId: 'mtr_calls' },
          ...{ cycleAt: january, segmentAt: january, logHour: 0, aggregation: 'sum' },
          fold: {
            ...{ aggregation: 'sum', events: 1, last: null },
            value: usage(8n * 10n ** 18n),
          },
        },
      ],
    })
    expect(outcome).toBe('voided')
    expect((await viewOf(key)).usage).toMatchObject([{ meterId: 'mtr_calls', value: '0' }])
    expect(await balance(key)).toBe(before + 8n)
  })

  it('bounds what is loaded of an account, however old it is', async () => {
    const key = await account()
    await store.db.query(sql`
      update accounts set own_cycle_at = to_timestamp(${january / 1e6})
      where customer_id = ${key.customerId}`)
    const loaded: number[] = []
    for (let month = 0; month < 24; month += 1) {
      const start = addMonths(january, month)
      await measure(key, ...aMonthOf(start))
      await settle(key, later(start, minute))
      const end = addMonths(january, month + 1)
      await endMonth(key, end)
      await settle(key, end)
      await sealAll(end)
      const { usage: rows, stored } = await viewOf(key)
      loaded.push(rows.length + (stored?.account.charges.length ?? 0))
    }
    expect(loaded).toEqual(loaded.map(() => 0))
    const whole = await viewOf(key, 'whole')
    expect(whole.usage).toHaveLength(24 * 26)
    expect(whole.stored?.account.charges).toHaveLength(24 * 3)
    expect(await sentencesOf(store, key)).toEqual([])
  })

  /** Two meters with one row, and one with a row for each of a day's hours. */
  const aMonthOf = (start: Instant): readonly Partial<Increment>[] => {
    const at = { cycleAt: start, segmentAt: start }
    const hours = Array.from({ length: 24 }, (_, logHour) => ({
      ...{ ...at, meterId: 'mtr_seats', aggregation: 'max', value: '1' },
      logHour: logHour + 1,
    }))
    return [{ ...at, meterId: 'mtr_bytes' }, at, ...hours]
  }

  const endMonth = (key: AccountKey, at: Instant) =>
    applyBoundary(atMoment(at, store), { kind: 'own_cycle_end', at, key })
})

const addMonths = (from: Instant, count: number): Instant =>
  addIntervals(from, { count: 1, interval: 'Month' }, count)
