import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { events } from '../../../src/edge/api/events.ts'
import { measuring } from '../../../src/parts/store/postgres/usage/measuring.ts'
import { compileFilter } from '../../../src/rules/meter/filter.ts'
import { formatInstant } from '../../../src/std/instant.ts'
import type { Call } from '../../support/edge/call.ts'
import { caller } from '../../support/edge/call.ts'
import { untold } from '../../support/measuring/untold.ts'
import type { VoidWorld } from '../../support/voids/world.ts'
import { voidGround } from '../../support/voids/world.ts'

let ground: Awaited<ReturnType<typeof voidGround>>
let world: VoidWorld
let call: Call
beforeAll(async () => {
  ground = await voidGround()
})
afterAll(() => ground.drop())

describe('POST /events/{event_id}/void', () => {
  beforeEach(async () => {
    world = await ground.world()
    const routes = events({
      ...world.ports,
      positions: { measuring: measuring(world.db), log: world.log, news: untold() },
      meter: () => Promise.resolve(null),
      compileFilter,
    })
    call = caller(routes, { businessId: world.businessId, at: world.clock.at })
    const meter = { name: 'M', event_name: 'call', measurement_unit: 'unit' }
    const max = { aggregation: { type: 'max', key: 'n' } }
    const { body } = await world.call()('POST /meters', { ...meter, ...max })
    await world.call()('POST /credit-entitlements', {
      name: 'Credits',
      unit: 'credit',
      precision: 0,
      overage_enabled: false,
      rollover_enabled: false,
      meter_links: [{ meter_id: body.id, meter_units_per_credit: '1', free_threshold: 0 }],
    })
    world.send(
      ['a', 'b'].map((event_id) => ({
        event_id,
        customer_id: 'cus_1',
        event_name: 'call',
        metadata: { n: 1 },
      })),
    )
    await world.measure()
  })

  it('answers the event, which shows the void ever after', async () => {
    const unvoided = await call('GET /events/a')
    const shown = {
      ...unvoided.body,
      voided_at: formatInstant(world.clock.at),
      void_reason: 'Sent twice.',
      void_status: 'pending',
    }
    const answer = await call('POST /events/a/void', { reason: 'Sent twice.', more: true })
    expect(answer).toEqual({ status: 200, body: shown })
    expect((await call('GET /events/a')).body).toEqual(shown)
    await world.archive()
    await world.folds()
    const done = { ...shown, void_status: 'done' }
    expect((await call('GET /events/a')).body).toEqual(done)
    expect((await call('GET /events')).body.items).toEqual([
      (await call('GET /events/b')).body,
      done,
    ])
  })

  it('leaves other events as the contract has them', async () => {
    await call('POST /events/a/void', { reason: 'x' })
    expect(Object.keys((await call('GET /events/b')).body).toSorted()).toEqual([
      'business_id',
      'customer_id',
      'event_id',
      'event_name',
      'metadata',
      'timestamp',
    ])
  })

  it.each([
    [{}, 422, 'reason is required'],
    [{ reason: '' }, 422, 'reason must'],
    [{ reason: null }, 422, 'reason must be a string'],
    [{ reason: 'x'.repeat(1_001) }, 422, 'reason must'],
  ])('refuses %j with %i', async (body, status, message) => {
    const answer = await call('POST /events/a/void', body)
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
    expect((await call('GET /events/a')).body).not.toHaveProperty('voided_at')
  })

  it('refuses a second one, an unknown event and one on its way', async () => {
    await call('POST /events/a/void', { reason: 'x' })
    const voided = expect.stringContaining('voided before')
    expect(await call('POST /events/a/void', { reason: 'y' })).toMatchObject({
      status: 409,
      body: { code: 'EVENT_ALREADY_VOIDED', message: voided },
    })
    expect((await call('POST /events/nobody/void', { reason: 'x' })).status).toBe(404)
    world.send([{ event_id: 'c', customer_id: 'cus_1', event_name: 'call' }])
    expect(await call('POST /events/c/void', { reason: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'EVENT_NOT_MEASURED' },
    })
  })

  it('knows no event of somebody else', async () => {
    const { as } = call
    for (const other of [{ businessId: 'bus_other' }, { mode: 'live' as const }]) {
      expect((await as(other)('POST /events/a/void', { reason: 'x' })).status).toBe(404)
    }
    expect((await call('GET /events/a')).body).not.toHaveProperty('voided_at')
  })
})
