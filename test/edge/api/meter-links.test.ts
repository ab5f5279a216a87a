import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

const plain = {
  name: 'Tokens',
  unit: 'token',
  precision: 2,
  overage_enabled: false,
  rollover_enabled: false,
}
const meter = {
  name: 'Tokens used',
  event_name: 'completion.done',
  aggregation: { type: 'sum', key: 'tokens' },
  measurement_unit: 'tokens',
}

describe('the meter links of credit entitlements', () => {
  let catalog: ScratchCatalog
  beforeAll(async () => {
    catalog = await catalogOnScratch()
  })
  afterAll(() => catalog.drop())

  it('name only meters that are there, alive, and named once', async () => {
    const { call } = await catalog.business()
    const other = await catalog.business()
    const meterOf = async (create: typeof call) => (await create('POST /meters', meter)).body.id
    const [live, archived, foreign] = [
      await meterOf(call),
      await meterOf(call),
      await meterOf(other.call),
    ]
    await call(`DELETE /meters/${archived}`)
    const link = (meterId: string) => ({ meter_id: meterId, meter_units_per_credit: '1' })
    const { id } = (await call('POST /credit-entitlements', plain)).body
    const cases: [string[], number, string][] = [
      [[foreign], 422, 'MISSING_METER_IDS'],
      [['mtr_none'], 422, 'MISSING_METER_IDS'],
      [[archived], 410, 'METER_IS_DELETED'],
      [['mtr_none', archived], 410, 'METER_IS_DELETED'],
      [[live, live], 422, 'DUPLICATE_METER_IDS_IN_REQUEST'],
    ]
    for (const [meterIds, status, code] of cases) {
      const links = { meter_links: meterIds.map(link) }
      const create = await call('POST /credit-entitlements', { ...plain, name: 'n', ...links })
      expect(create).toMatchObject({ status, body: { code } })
      expect(await call(`PATCH /credit-entitlements/${id}`, links)).toEqual(create)
    }
    expect((await call('PATCH /credit-entitlements/cde_none', { name: 'n' })).status).toBe(404)
  })

  it('keep a link whose meter was archived since, when it is sent back as it was read', async () => {
    const { call } = await catalog.business()
    const { id: meterId } = (await call('POST /meters', meter)).body
    const links = { meter_links: [{ meter_id: meterId, meter_units_per_credit: '1' }] }
    const { id } = (await call('POST /credit-entitlements', { ...plain, ...links })).body
    await call(`DELETE /meters/${meterId}`)
    const { meter_links } = (await call(`GET /credit-entitlements/${id}`)).body
    const sent = { name: 'Renamed', meter_links }
    expect((await call(`PATCH /credit-entitlements/${id}`, sent)).status).toBe(204)
    const read = (await call(`GET /credit-entitlements/${id}`)).body
    expect(read).toMatchObject({ name: 'Renamed', meter_links })
    const without = { meter_links: [] }
    expect((await call(`PATCH /credit-entitlements/${id}`, without)).status).toBe(204)
    expect((await call(`PATCH /credit-entitlements/${id}`, sent)).status).toBe(410)
  })
})
