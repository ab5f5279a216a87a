import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countsAt } from '../../../src/rules/meter/meter.ts'
import { instantOf } from '../../../src/std/instant.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const condition = { key: 'model', operator: 'equals', value: 'large' }
const tokens = {
  name: 'Tokens',
  event_name: 'completion',
  aggregation: { type: 'sum', key: 'tokens' },
  measurement_unit: 'token',
}

describe('meters', () => {
  it('are created, read and answered whole', async () => {
    const { id, call } = await catalog.business()
    const filter = { conjunction: 'or', clauses: [{ conjunction: 'and', clauses: [condition] }] }
    const created = await call('POST /meters', { ...tokens, filter, description: 'd' })
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^mtr_[\w-]{21}$/),
        business_id: id,
        ...tokens,
        filter,
        description: 'd',
        created_at: '2027-01-15T08:00:00.000000Z',
        updated_at: '2027-01-15T08:00:00.000000Z',
      },
    })
    const read = await call(`GET /meters/${created.body.id}`)
    expect(read).toEqual({ ...created, status: 200 })
  })

  it('that count need no key and ignore one', async () => {
    const { call } = await catalog.business()
    for (const aggregation of [{ type: 'count' }, { type: 'count', key: 'tokens' }]) {
      const { body } = await call('POST /meters', { ...tokens, aggregation })
      expect(body['aggregation']).toEqual({ type: 'count', key: null })
      expect(body).toMatchObject({ description: null, filter: null })
    }
  })

  it('refuse what is wrong, with the field in the message', async () => {
    const { call } = await catalog.business()
    const nest = (depth: number): object =>
      depth === 1
        ? { conjunction: 'and', clauses: [condition] }
        : { conjunction: 'and', clauses: [nest(depth - 1)] }
    expect((await call('POST /meters', { ...tokens, filter: nest(3) })).status).toBe(201)
    const all = (clauses: unknown) => ({ filter: { conjunction: 'and', clauses } })
    const cases: [object, string][] = [
      [{ name: undefined }, 'name is required'],
      [{ event_name: '' }, 'event_name must not be empty'],
      [{ measurement_unit: null }, 'measurement_unit must be a string'],
      [{ aggregation: { type: 'sum' } }, 'aggregation.key is required for sum'],
      [{ aggregation: { type: 'last', key: null } }, 'aggregation.key is required for last'],
      [
        { aggregation: { type: 'unique' } },
        'aggregation.type must be one of count, sum, max, last',
      ],
      [{ aggregation: {} }, 'aggregation.type is required'],
      [{ filter: nest(4) }, 'filter must be at most 3 levels deep'],
      [{ filter: nest(500) }, 'filter must be at most 3 levels deep'],
      [{ filter: [] }, 'filter must be an object'],
      [{ filter: { clauses: [condition] } }, 'filter.conjunction must be one of and, or'],
      [all([]), 'filter.clauses must be an array of 1 to 10 items'],
      [all(Array(11).fill(condition)), 'filter.clauses must be an array of 1 to 10'],
      [all({}), 'filter.clauses must be an array'],
      [all([condition, nest(1)]), 'filter.clauses must be all conditions or all filters'],
      [all([condition, 7]), 'filter.clauses[1] must be an object'],
      [all([{ ...condition, key: '' }]), 'filter.clauses[0].key must be a text of 1 to 100'],
      [all([{ ...condition, key: 'k'.repeat(101) }]), 'filter.clauses[0].key'],
      [all([{ ...condition, key: 'a\0' }]), 'filter.clauses[0].key'],
      [all([{ ...condition, operator: 'like' }]), 'filter.clauses[0].operator must be one of'],
      [all([{ ...condition, value: null }]), 'filter.clauses[0].value must be a string, number'],
      [all([{ ...condition, value: 'x'.repeat(501) }]), 'must not be longer than 500'],
      [all([{ ...condition, value: '\ud800' }]), 'filter.clauses[0].value'],
    ]
    for (const [change, message] of cases) {
      const answer = await call('POST /meters', { ...tokens, ...change })
      expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
      expect(answer.body.message).toContain(message)
    }
    for (const value of [1e21, 2 ** 53, -(2 ** 53)]) {
      const answer = await call('POST /meters', { ...tokens, ...all([{ ...condition, value }]) })
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST_PARAMETERS' } })
      expect(answer.body.message).toContain('filter.clauses[0].value is an integer beyond')
    }
    expect((await call('GET /meters?archived=maybe')).body.code).toBe('INVALID_QUERY_PARAMS')
    expect((await call('GET /meters?page_number=-1')).body.code).toBe('INVALID_QUERY_PARAMS')
  })

  it('are archived and unarchived, and listed accordingly', async () => {
    const { call } = await catalog.business()
    const [first, second] = [
      (await call('POST /meters', tokens)).body.id,
      (await call.as({ at: instantOf(1_900_000_000_000_000) })('POST /meters', tokens)).body.id,
    ]
    const ids = async (query: string) =>
      (await call(`GET /meters?${query}`)).body.items.map((item) => item.id)
    expect(await ids('')).toEqual([second, first])

    expect(await call(`DELETE /meters/${first}`)).toEqual({ status: 204, body: undefined })
    expect((await call(`DELETE /meters/${first}`)).body.code).toBe('METER_IS_DELETED')
    expect((await call(`GET /meters/${first}`)).status).toBe(200)
    expect(await ids('')).toEqual([second])
    expect(await ids('archived=false')).toEqual([second])
    expect(await ids('archived=true')).toEqual([first])

    expect(await call(`POST /meters/${first}/unarchive`)).toEqual({ status: 204, body: undefined })
    expect((await call(`POST /meters/${first}/unarchive`)).status).toBe(404)
    expect(await ids('')).toEqual([second, first])
    expect((await call('DELETE /meters/mtr_none')).status).toBe(404)
    expect((await call('POST /meters/mtr_none/unarchive')).status).toBe(404)
    expect((await call.as({ mode: 'live' })(`DELETE /meters/${first}`)).status).toBe(404)
  })

  it('keep when they were archived in real time, whatever the test clock says', async () => {
    const { id, call } = await catalog.business()
    const scope = { businessId: id, mode: 'test' } as const
    const meterId = (await call('POST /meters', tokens)).body.id
    const step = async (target: 'archive' | 'unarchive', at: number) => {
      catalog.clock.at = instantOf(at)
      if (target === 'archive') await call(`DELETE /meters/${meterId}`)
      else await call(`POST /meters/${meterId}/unarchive`)
      return (await catalog.meters.get(scope, meterId))?.archived
    }
    expect(await step('archive', 1_000)).toEqual([{ from: 1_000, to: null }])
    expect(await step('unarchive', 2_000)).toEqual([{ from: 1_000, to: 2_000 }])
    expect(await step('archive', 5_000)).toEqual([
      { from: 1_000, to: 2_000 },
      { from: 5_000, to: null },
    ])
    // The clock was set back: the range is empty, not inside out.
    expect(await step('unarchive', 4_000)).toEqual([
      { from: 1_000, to: 2_000 },
      { from: 5_000, to: 5_000 },
    ])
    const meter = await catalog.meters.get(scope, meterId)
    const counts = [999, 1_000, 1_999, 2_000, 5_000].map((at) =>
      meter === null ? null : countsAt(meter, instantOf(at)),
    )
    expect(counts).toEqual([true, false, false, true, true])
  })
})

describe('the catalog', () => {
  it('is of one moment: each change of meters and default links moves its version', async () => {
    const { id, call } = await catalog.business()
    const scopes = [
      { businessId: id, mode: 'test' },
      { businessId: 'bus_none', mode: 'test' },
      { businessId: id, mode: 'live' },
    ] as const
    let version = await catalog.versionOf(id)
    /** Since it was asked last. */
    const hasMoved = async () => {
      const before = version
      version = await catalog.versionOf(id)
      return version > before
    }
    const meterId = (await call('POST /meters', tokens)).body.id
    expect(await hasMoved()).toBe(true)
    const plain = { precision: 2, overage_enabled: false, rollover_enabled: false, unit: 'u' }
    const link = { meter_id: meterId, meter_units_per_credit: '0.50', free_threshold: 3 }
    await call('POST /credit-entitlements', { ...plain, name: 'none' })
    expect(await hasMoved()).toBe(false)
    const created = await call('POST /credit-entitlements', {
      ...plain,
      name: 'linked',
      meter_links: [link],
    })
    expect(await hasMoved()).toBe(true)
    const path = `/credit-entitlements/${created.body.id}` as const
    await call(`PATCH ${path}`, { description: 'no link moved', meter_links: [link] })
    expect(await hasMoved()).toBe(false)

    const snapshots = await catalog.meters.catalogOf(scopes)
    expect(snapshots.toSorted((a, b) => (a.catalog.mode < b.catalog.mode ? 1 : -1))).toEqual([
      {
        catalog: {
          businessId: id,
          mode: 'test',
          version,
          meters: [
            {
              meterId,
              eventName: 'completion',
              aggregation: 'sum',
              aggregationKey: 'tokens',
              filter: null,
              archived: [],
            },
          ],
        },
        links: [
          {
            entitlementId: created.body.id,
            stretches: [
              {
                from: 0,
                anchor: 0,
                frequency: { count: 1, interval: 'Month' },
                links: [
                  {
                    meterId,
                    entitlementId: created.body.id,
                    unitsPerCredit: 5n * 10n ** 17n,
                    freeThreshold: 3n * 10n ** 18n,
                    pricePerUnit: null,
                  },
                ],
              },
            ],
          },
        ],
      },
      { catalog: { businessId: id, mode: 'live', version: 1, meters: [] }, links: [] },
    ])

    await call(`PATCH ${path}`, { meter_links: [{ ...link, free_threshold: null }] })
    expect(await hasMoved()).toBe(true)
    await call(`DELETE ${path}`)
    expect(await hasMoved()).toBe(true)
    expect((await catalog.meters.catalogOf(scopes.slice(0, 1)))[0]?.links).toEqual([])
    await call(`POST ${path}/undelete`)
    expect(await hasMoved()).toBe(true)
    await call(`DELETE /meters/${meterId}`)
    expect(await hasMoved()).toBe(true)
    await call(`DELETE /meters/${meterId}`)
    await call(`DELETE ${path}x`)
    expect(await hasMoved()).toBe(false)
    const [snapshot] = await catalog.meters.catalogOf(scopes.slice(0, 1))
    expect(snapshot?.catalog.meters[0]?.archived).toHaveLength(1)
    await call(`POST /meters/${meterId}/unarchive`)
    expect(await hasMoved()).toBe(true)
    expect(await catalog.meters.catalogOf([])).toEqual([])
  })
})
