import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../support/edge/call.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

const shop = (meter = {}, credit = {}) => openShop(pipeline, meter, credit)

describe('an entry or grant', () => {
  it('of a command names rule, contract and command', async () => {
    const { grant, entryOf, call, creditId, customer } = await shop()
    await grant('10')
    await grant('2.5', 'debit')
    const path = `/credit-entitlements/${creditId}/balances/${customer}/ledger` as const
    const { items } = (await call()(`GET ${path}`)).body
    const [debit, credit] = [await entryOf(items[0]?.id ?? ''), await entryOf(items[1]?.id ?? '')]
    expect(debit).toMatchObject({
      explains: 'ledger_entry',
      number: 2,
      rule: { name: 'manual_debit', manual: ['resources#adjustments', 'credits#who-pays-first'] },
      cause: { type: 'command', events: null },
    })
    expect(String(debit['summary'])).toContain('Its reason: as agreed')
    expect(String(debit['arithmetic'])).toContain('Balance: 10 − 2.5 = 7.5')
    expect(credit).toMatchObject({
      number: 1,
      rule: { name: 'manual_credit', manual: ['resources#adjustments'] },
    })

    const granted = await entryOf(String(items[0]?.['grant_id']))
    expect(granted).toMatchObject({
      explains: 'credit_grant',
      rule: { name: 'manual_credit' },
      entries: { count: 2, items: [{ remaining: '10' }, { remaining: '7.5' }] },
      arithmetic: ['Its entries add up to what is left: 7.5.'],
    })
  })

  it('of a subscription names it', async () => {
    const { subscribe, entryOf, call, creditId, customer } = await shop()
    const subscription = await subscribe('40')
    const path = `/credit-entitlements/${creditId}/balances/${customer}/ledger` as const
    const { items } = (await call()(`GET ${path}`)).body
    const entry = await entryOf(items[0]?.id ?? '')
    expect(entry).toMatchObject({ rule: { name: 'cycle_grant', manual: ['credits#grants'] } })
    expect(String(entry['summary'])).toContain(`A command of subscription ${subscription}`)
  })

  it('of somebody else, or of nobody, is 404', async () => {
    const { grant, call, creditId, customer } = await shop()
    await grant('10')
    const other = await shop()
    const path = `/credit-entitlements/${creditId}/balances/${customer}/ledger` as const
    const { items } = (await call()(`GET ${path}`)).body
    const status = async (by: Call, id: unknown) =>
      (await by(`GET /credit-ledger-entries/${String(id)}/explanation`)).status
    for (const id of [items[0]?.id, items[0]?.['grant_id']]) {
      expect(await status(call(), id)).toBe(200)
      expect(await status(other.call(), id)).toBe(404)
      expect(await status(call().as({ mode: 'live' }), id)).toBe(404)
    }
    for (const id of ['cle_nobody', 'cgr_nobody']) expect(await status(call(), id)).toBe(404)
  })
})
