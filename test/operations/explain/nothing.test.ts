import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { second } from '../../../src/std/instant.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { done, openShop } from '../../support/process/shop.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

const shop = (meter = {}, credit = {}) => openShop(pipeline, meter, credit)

describe('an event that did nothing says why:', () => {
  it('there is no meter of its name', async () => {
    const { businessId, customer, explained, send } = await shop()
    await send({ id: 'a', customer, name: 'Completion' })
    const { verdict, meters, why_nothing } = await explained('a')
    expect(verdict.outcome).toBe('matched_nothing')
    expect(meters).toEqual([])
    expect(why_nothing).toContain("No meter is for the event name 'Completion'")
    expect(businessId).toMatch(/^bus_/)
  })

  it('the filter clause that failed', async () => {
    const { event, send, link, explained } = await shop({
      filter: {
        conjunction: 'and',
        clauses: [
          { key: 'model', operator: 'equals', value: 'large' },
          { key: 'tokens', operator: 'greater_than', value: 10 },
        ],
      },
    })
    await link()
    await send(event('a', { model: 'large', tokens: 10 }))
    const [meter] = (await explained('a')).meters
    expect(meter).toMatchObject({ outcome: 'filtered_out', quantity: null, effects: [] })
    expect(meter?.failed_clauses).toEqual([
      {
        path: 'filter.clauses[1]',
        key: 'tokens',
        operator: 'greater_than',
        reason: "The property 'tokens' is not greater than this number.",
      },
    ])
  })

  it('its value is not numeric', async () => {
    const { event, send, link, explained } = await shop()
    await link()
    await send(event('a', { tokens: 'many' }))
    const of = await explained('a')
    expect(of.meters[0]?.outcome).toBe('not_numeric')
    expect(of.meters[0]?.sentence).toContain('is text that is not a plain decimal')
    expect(of.why_nothing).toContain('No meter of its name matched it')
  })

  it('the meter was archived when it was received, whatever the meter is now', async () => {
    const { event, send, link, explained, call, meterId } = await shop()
    await link()
    await done(call()(`DELETE /meters/${meterId}`))
    await send(event('a', { tokens: 1 }))
    pipeline.pass(second)
    await done(call()(`POST /meters/${meterId}/unarchive`))
    await send(event('b', { tokens: 1 }))
    expect((await explained('a')).meters[0]?.outcome).toBe('archived')
    expect((await explained('b')).meters[0]?.outcome).toBe('matched')
  })

  it('nobody took its usage', async () => {
    const { event, send, explained } = await shop()
    await send(event('a', { tokens: 1 }))
    const of = await explained('a')
    expect(of.meters[0]).toMatchObject({
      outcome: 'matched',
      routing: { sentence: expect.stringContaining('the customer had no subscription') },
      effects: [],
    })
    expect(of.why_nothing).toContain('nobody took its usage')
  })

  it('it repeats a copy that counts', async () => {
    const { businessId, customer, event, link, explained } = await shop()
    await link('1')
    pipeline.ingest(businessId, [event('a', { tokens: 2 })])
    pipeline.pass(second)
    pipeline.ingest(businessId, [{ id: 'a', customer, name: 'other' }])
    await pipeline.measureAll()
    const of = await explained('a')
    expect(of.event.event_name).toBe('completion')
    expect(of.copies.map(({ outcome }) => outcome)).toEqual(['counted', 'repeat'])
    expect(of.copies[1]?.sentence).toContain(`offset ${of.received.offset}:`)
  })

  it('it waits to be measured', async () => {
    const { businessId, event, link, explained } = await shop()
    await link()
    pipeline.ingest(businessId, [event('a', { tokens: 2 })])
    const of = await explained('a')
    expect(of.verdict.outcome).toBe('waiting')
    expect(of.meters).toEqual([])
    expect(of.why_nothing).toContain('waits to be measured')
    await pipeline.measureAll()
    expect((await explained('a')).verdict.outcome).toBe('counted')
  })

  it('it was never accepted, or is somebody else’s: 404', async () => {
    const { event, send, call } = await shop()
    const other = await shop()
    await send(event('mine', { tokens: 1 }))
    expect((await call()('GET /events/nobody/explanation')).status).toBe(404)
    expect((await other.call()('GET /events/mine/explanation')).status).toBe(404)
    const live = call().as({ mode: 'live' })
    expect((await live('GET /events/mine/explanation')).status).toBe(404)
  })
})
