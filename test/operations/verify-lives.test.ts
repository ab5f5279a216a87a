import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginning } from '../model/billing/model.ts'
import { openBillingDesk } from '../support/billing/desk.ts'
import { storeShelf } from '../support/billing/store-shelf.ts'
import { saidAfter, saidOf } from '../support/store/bent-books.ts'
import { holdPartition } from '../support/store/hold-partition.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'
import { scratchStore } from '../support/store/scratch-store.ts'
import { day, planOf, programOf } from './subscriptions/plans.ts'

let store: ScratchStore

/** A plan whose credits rolled over once and were then forfeited, beside credits by hand. */
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
  const shelf = await storeShelf(store, { offset: 0, ids: 0 })
  const rolling = { rollover: true, percentage: 50, countMax: 1, timeframeDays: 10 }
  const desk = await openBillingDesk(shelf, programOf(rolling, [planOf()]))
  const at = (days: number): number => beginning + days * day
  const call = (days: number, next: Parameters<typeof desk.call>[0]) => {
    desk.at(at(days))
    return desk.call(next, 0, at(days))
  }
  await call(0, { kind: 'subscribe', plan: 0, trialDays: 0 })
  desk.at(at(3))
  await desk.measure([{ id: 1, meter: 'a', quantity: 5, timestamp: at(3), received: at(3) }])
  await desk.settle()
  await call(4, { kind: 'credit', amount: 20, days: null })
  await call(5, { kind: 'debit', amount: 10 })
  desk.at(at(45))
  await desk.sweep(true)
  const copied = `insert into messages (message_id, business_id, mode, type, account_id,
      entry_number, body)
    select message_id, business_id, mode, type, account_id, entry_number, '' from outbox
    where type = 'credit.expired'`
  await store.db.query({ text: copied, values: [] })
})
afterAll(() => store.drop())

const [earlier, later] = [`- interval '900 d'`, `+ interval '900 d'`]

describe('verify, of what accounts say of their own lives [credits#grants, credits#ledger]', () => {
  it('finds nothing in right books', async () => {
    expect(await saidOf(store.db)).toBe('')
  })

  it.each([
    [`update accounts set last_transaction_at = last_transaction_at ${later}`, 'it last moved at'],
    ['update accounts set last_transaction_at = null', 'it last moved at no time'],
    [`update accounts set created_at = created_at ${later}`, 'it was made at'],
    [`update accounts set updated_at = updated_at ${earlier}`, 'it was changed at'],
    [`update accounts set own_cycle_at = own_cycle_at + interval '1 h'`, `no month's beginning`],
    [`update accounts set own_cycle_at = own_cycle_at + interval '9 y'`, 'its month begins at'],
    ['update grants set rolled_over = not rolled_over', 'did not roll over, and says it did'],
    ['update grants set rolled_over = false', 'rolled over, and says that it did not'],
    ['update grants set rollover_count = rollover_count + 1', 'rolled 1 times, from nothing'],
    [`update grants set rollover_count = 2 where source_type = 'rollover'`, 'rolled 2 times, but'],
    [`update grants set source_type = 'api'`, 'is api, but was made by the rule cycle_grant'],
    [`update grants set parent_grant_id = null`, 'rolled over from nothing, which is not there'],
    [`update grants set ended_at = ended_at ${earlier}`, 'but the one it came from ended at'],
    [`update grants set ended_at = ended_at ${later}`, 'but its account last changed at'],
    [`update grants set ended_at = ended_at ${earlier}`, 'but its newest entry is of'],
    [`update grants set created_at = created_at ${earlier}`, 'but its first entry is of'],
  ])('finds bent what %s bends', async (text, sentence) => {
    expect(await saidAfter(store.db, text)).toContain(sentence)
  })
})

describe('verify, of what entries refer to [credits#ledger]', () => {
  it.each([
    [`reference_id = 'mtr_other' where reference_type = 'meter'`, 'but is of meter'],
    [`reference_type = 'api' where reference_type = 'subscription'`, 'is of the rule'],
    [`reference_type = null where reference_type = 'api'`, 'it refers to nothing, but is of'],
  ])('finds bent what %s bends', async (set, sentence) => {
    expect(await saidAfter(store.db, `update ledger_entries set ${set}`)).toContain(sentence)
  })
})

describe('verify, of what facts tell of entries [webhooks#kinds]', () => {
  it.each([
    [`update outbox set type = 'credit.added' where type = 'credit.expired'`, 'The fact msg_'],
    [`update messages set type = 'credit.added'`, 'as credit.added, which is credit_expired.'],
    ['update messages set entry_number = 1', 'as credit.expired, which is credit_added.'],
    [`update outbox set mode = 'live'`, 'in live mode, but tells of entry'],
    [`update messages set business_id = 'bus_other'`, 'is of bus_other in test mode, but'],
  ])('finds bent what %s bends', async (text, sentence) => {
    expect(await saidAfter(store.db, text)).toContain(sentence)
  })
})

describe('verify, of what takes usage [machines#the-catalogue-while-it-changes]', () => {
  it.each([
    [`update subscriptions set stretches = '[]'`, 'takes usage by other terms than its newest'],
    [`update subscriptions set pauses = '[1]'`, 'takes usage by other terms than its newest'],
    [`update link_versions set stretches = '[1]'`, 'usage: Credit entitlement cde_'],
  ])('finds bent what %s bends', async (text, sentence) => {
    expect(await saidAfter(store.db, text)).toContain(sentence)
  })
})
