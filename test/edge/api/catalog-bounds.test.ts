import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const plain = {
  name: 'Tokens',
  unit: 'token',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
}
const tokens = {
  name: 'Tokens',
  event_name: 'completion',
  aggregation: { type: 'sum', key: 'tokens' },
  measurement_unit: 'token',
}

describe('meters', () => {
  it('are so many of a name and no more, and are archived so often and no more', async () => {
    const { call } = await catalog.business()
    const meters = []
    for (let number = 0; number < limits.metersPerNameMax; number += 1) {
      meters.push((await call('POST /meters', tokens)).body.id)
    }
    expect(await call('POST /meters', tokens)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('of one event name') },
    })
    expect((await call('POST /meters', { ...tokens, event_name: 'other' })).status).toBe(201)
    expect((await call.as({ mode: 'live' })('POST /meters', tokens)).status).toBe(201)
    const [first] = meters
    for (let times = 1; times < limits.archivedRangesMax; times += 1) {
      await call(`DELETE /meters/${first}`)
      expect((await call(`POST /meters/${first}/unarchive`)).status).toBe(204)
    }
    expect((await call(`DELETE /meters/${first}`)).status).toBe(204)
    expect(await call(`POST /meters/${first}/unarchive`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('create another one') },
    })
    expect((await call(`DELETE /meters/${first}`)).body.code).toBe('METER_IS_DELETED')
  })
})

describe('credit entitlements', () => {
  it('change their default links so often within some hours and no more', async () => {
    const { call } = await catalog.business()
    const meter = { name: 'Tokens', event_name: 'used', measurement_unit: 'token' }
    const { id } = (await call('POST /meters', { ...meter, aggregation: { type: 'count' } })).body
    const linksOf = (rate: number) => ({
      meter_links: [{ meter_id: id, meter_units_per_credit: String(rate) }],
    })
    const made = await call('POST /credit-entitlements', { ...plain, ...linksOf(1) })
    const path = `/credit-entitlements/${made.body.id}` as const
    const patch = (times: number, body: object) =>
      call.as({ at: instantOf(1_900_000_000_000_000 + times) })(`PATCH ${path}`, body)
    // As many changes leave so many stretches; each would take some milliseconds here.
    await catalog.db.query(sql`
      update credit_entitlements set stretches = jsonb_path_query_array(stretches, '$[0]') || (
        select jsonb_agg(stretches -> 0 || jsonb_build_object('from', at) order by at)
        from generate_series(1, ${limits.linkStretchesMax - 2}::integer) n,
          to_char(timestamptz '2025-01-01' + n * interval '1 second',
            'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') at)
      where credit_entitlement_id = ${made.body.id}`)
    expect((await patch(1, linksOf(2))).status).toBe(204)
    const refused = await patch(limits.linkStretchesMax, linksOf(7))
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(refused.body.message).toContain('meter_links')
    expect((await patch(limits.linkStretchesMax, { name: 'another name' })).status).toBe(204)
  })
})
