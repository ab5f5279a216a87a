import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import { saidAfter, saidOf } from '../support/store/bent-books.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { february, january, scratchStore } from '../support/store/scratch-store.ts'
import { sealedAccounts } from './sealed-accounts.ts'

let store: ScratchStore
let key: AccountKey
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
  const of = sealedAccounts(store, { next: 0 })
  key = await of.account()
  const last = { lastAt: january, lastReceived: january, lastEventId: 'evt' }
  await of.measure(
    key,
    { meterId: 'mtr_calls', aggregation: 'count', value: '3', events: 3 },
    { meterId: 'mtr_seats', aggregation: 'max', value: '7', events: 2, logHour: 1 },
    { meterId: 'mtr_bytes', aggregation: 'last', value: '7', events: 2, logHour: 1, ...last },
    { entitlementId: '', meterId: 'mtr_money', value: '5' },
  )
  await of.settle(key, february)
})
afterAll(() => store.drop())

const pending = `insert into voids (business_id, mode, event_id, event_at, customer_id, reason,
    received_at, undone, pending, voided_at)
  select business_id, mode, 'evt', now(), customer_id, '', now(), '[]', 1, now() from usage limit 1;`

const folds = `insert into void_folds (business_id, mode, customer_id, route_id, entitlement_id,
    meter_id, segment_at, log_hour, event_id, event_at)
  select business_id, mode, customer_id, route_id, entitlement_id, meter_id, segment_at, log_hour,
    'evt', now() from usage where aggregation = 'max';`

describe('usage by itself', () => {
  it('is right as it is measured, and while a void waits', async () => {
    expect(await saidOf(store.db)).not.toMatch(/usage:|boundary:/)
    expect(await saidAfter(store.db, pending + folds)).not.toContain('usage:')
  })

  it.each([
    ['a count is no count', `update usage set value = 4 where aggregation = 'count'`],
    ['no event has a value', `update usage set events = 0 where entitlement_id = ''`],
    ['events lack', `update usage set events = -1, value = 0 where entitlement_id = ''`],
    ['a last value has no event', `update usage set last_at = null where aggregation = 'last'`],
    [
      'a segment begins before its cycle',
      `update usage set segment_at = cycle_at - interval '1 d'`,
    ],
    ['nothing adds it up', `update usage set aggregation = 'none' where aggregation = 'max'`],
  ])('is found bent where %s', async (_, text) => {
    expect(await saidAfter(store.db, text)).toContain(
      `usage: Customer ${key.customerId}: its usage`,
    )
    expect(await saidAfter(store.db, text, 'bus_other')).toBe('')
  })

  it.each([
    ['a void waits for nothing', pending],
    ['something waits for no void', folds],
  ])('is found bent where %s', async (_, text) => {
    expect(await saidAfter(store.db, text)).toContain(
      `${key.customerId}: its voided event evt waits`,
    )
  })
})

it('of many rows is read a few accounts at a time', async () => {
  const of = sealedAccounts(store, { next: 1 })
  const [other, third] = [await of.account(), await of.account()]
  for (const one of [other, third]) await of.measure(one, { value: '1' })
  const pagesBy = async (usageMax: number) => {
    const pages: number[] = []
    for await (const page of audit(store.db, usageMax).accounts(null)) pages.push(page.length)
    return pages
  }
  expect(await pagesBy(1_000)).toEqual([3])
  expect(await pagesBy(1)).toEqual([1, 1, 1])
})

describe('ends that nobody applies', () => {
  const passed = 'update checkpoints set log_at = now(), idle_at = now();'

  it('are found once everything before them has long been measured', async () => {
    const text = `update accounts set own_cycle_at = '2026-01-01';
      update grants set expires_at = '2026-03-01'`
    expect(await saidAfter(store.db, text)).not.toContain('boundary:')
    const said = await saidAfter(store.db, passed + text)
    expect(said).toMatch(/boundary: The month of account \S+ was to end at 2026-02-01T\S+, and has/)
    expect(said).toMatch(/boundary: Grant \S+ was to end at 2026-03-01T\S+, and has not/)
  })

  it('are none where what is due is due since a moment', async () => {
    const text = `update grants set expires_at = now() - interval '10 minutes';
      update accounts set own_cycle_at = date_trunc('month', now(), 'UTC')`
    expect(await saidAfter(store.db, passed + text)).not.toContain('boundary:')
  })
})
