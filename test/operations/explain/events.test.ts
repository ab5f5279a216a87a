import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  day,
  hour,
  instantOf,
  laterOf,
  minute,
  parseInstant,
  second,
} from '../../../src/std/instant.ts'
import type { EventExplanationView } from '../../../src/wire/explanation.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { done, effectOf, openShop } from '../../support/process/shop.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

const shop = (meter = {}, credit = {}) => openShop(pipeline, meter, credit)

describe('an event that counted', () => {
  it('is told from receipt to entry, wherever it is stored, with usage and credits in numbers', async () => {
    const { businessId, event, send, link, grant, explained, creditId } = await shop()
    await link('1000', 500)
    await grant('10')
    await send(event('a', { tokens: 400 }))
    pipeline.pass(second)
    pipeline.ingest(businessId, [event('b', { tokens: '1600.5' })])
    await send(event('c', { tokens: 1 }))
    const inLog = await explained('b')
    await pipeline.archive()
    const archived = await explained('b')

    expect(inLog.stored).toEqual({ in: 'log', block_id: null })
    expect(archived.stored).toEqual({ in: 'archive', block_id: expect.any(Number) })
    const { stored: _1, copies: _2, summary: _3, ...rest } = inLog
    expect(archived).toMatchObject(rest)

    expect(archived.verdict.outcome).toBe('counted')
    expect(archived.customer).toMatchObject({ name: 'Ada' })
    expect(archived.why_nothing).toBeNull()
    expect(archived.meters[0]).toMatchObject({ outcome: 'matched', quantity: '1600.5' })
    const effect = effectOf(archived)
    expect(effect).toMatchObject({
      route: { type: 'default_link', id: creditId },
      terms: { meter_units_per_credit: '1000', free_threshold: '500', precision: 2 },
      usage: { before: '400', after: '2000.5', agrees_with_books: true, is_complete: true },
      credits: { before: '0', after: '1.5', change: '1.5' },
      settling: { state: 'settled' },
    })
    expect(effect.credits?.worth_after[0]?.formula).toBe(
      'trunc(max(0, 2000.5 − 500) ÷ 1000, 2) = 1.5',
    )
    const [settled] = effect.settling.entries
    expect(settled?.entry).toMatchObject({ amount: '1.5', balance_after: '8.5' })
    expect(settled?.webhooks).toMatchObject({
      types: ['credit.deducted'],
      waiting: ['credit.deducted'],
    })
  })

  it('below the free threshold changed nothing, and says so', async () => {
    const { event, send, link, grant, explained } = await shop()
    await link('1000', 500)
    await grant('10')
    await send(event('a', { tokens: 400 }))
    const effect = effectOf(await explained('a'))
    expect(effect.settling.state).toBe('no_change')
    expect(effect.settling.sentence).toContain('free threshold')
    expect(effect.settling.entries).toEqual([])
  })

  it('that nobody could pay for was dropped, and says so', async () => {
    const { event, send, link, grant, explained, entryOf } = await shop()
    await link('1')
    await grant('3')
    await send(event('part', { tokens: 5 }))
    await send(event('whole', { tokens: 7 }))
    const part = effectOf(await explained('part'))
    expect(part.settling.sentence).toContain('2 credits had been dropped')
    const entry = await entryOf(part.settling.entries[0]?.entry.id ?? '')
    expect(entry['arithmetic']).toContain(`Balance: 3 − 3 = 0 through grant ${grantOf(entry)}`)
    expect(String(entry['arithmetic'])).toContain('The other 2 were dropped')
    const whole = effectOf(await explained('whole'))
    expect(whole.credits?.change).toBe('7')
    expect(whole.settling.state).toBe('no_change')
    expect(whole.settling.sentence).toContain('dropped (9 credits of this cycle so far)')
  })

  it('that made usage fall gave credits back', async () => {
    const { event, send, link, grant, explained, entryOf } = await shop({
      aggregation: { type: 'last', key: 'tokens' },
    })
    await link('10')
    await grant('10')
    await send(event('a', { tokens: 50 }))
    await send(event('b', { tokens: 20 }))
    const effect = effectOf(await explained('b'))
    expect(effect).toMatchObject({
      usage: { before: '50', after: '20', agrees_with_books: true },
      credits: { before: '5', after: '2', change: '-3' },
    })
    const { entry } = effect.settling.entries[0] ?? {}
    expect(entry).toMatchObject({ transaction_type: 'refund', amount: '3', is_credit: true })
    const of = await entryOf(entry?.id ?? '')
    expect(of['rule']).toMatchObject({ name: 'usage_returned', manual: ['meters#falling-usage'] })
    expect(of['cause']).toMatchObject({
      type: 'events',
      events: { count: 1, is_complete: true, items: [{ event_id: 'b', quantity: '20' }] },
    })
    expect(of['webhooks']).toMatchObject({ types: [], deliveries: [] })
  })
})

const grantOf = (entry: Readonly<Record<string, unknown>>): string => {
  const { id } = entry['grant'] as { readonly id: string }
  return `${id}, number 1 of the account.`
}

describe('an event that was backfilled', () => {
  const at = (text: string) => parseInstant(text) ?? instantOf(0)
  const sentence = (of: EventExplanationView) => of.meters[0]?.routing?.sentence

  it('is in the cycle that was open when it came in, where its own had closed, and says so', async () => {
    const { event, send, link, grant, explained, creditId } = await shop()
    await link('1', 500)
    await grant('1000')
    pipeline.clock.at = laterOf(pipeline.clock.at, at('2026-12-01T00:00:00Z'))
    await send({ ...event('own', { tokens: 300 }), at: at('2026-11-30T22:00:00Z') })
    pipeline.pass(day)
    await send(event('now', { tokens: 400 }))
    await send({ ...event('late', { tokens: 300 }), at: at('2026-11-30T22:00:00Z') })
    for (const archived of [false, true]) {
      if (archived) await pipeline.archive()
      expect(effectOf(await explained('own'))).toMatchObject({
        cycle: { start: '2026-11-01T00:00:00.000000Z' },
        usage: { before: '0', after: '300', agrees_with_books: true },
      })
      const late = await explained('late')
      expect(effectOf(late)).toMatchObject({
        route: { type: 'default_link', id: creditId },
        cycle: { start: '2026-12-01T00:00:00.000000Z' },
        // The month's threshold is used up by then.
        usage: { before: '400', after: '700', agrees_with_books: true, is_complete: true },
        credits: { before: '0', after: '200' },
      })
      expect(sentence(late)).toContain(
        'Its own cycle ended at 2026-12-01T00:00:00.000000Z (business time), more than an hour before it was received at 2026-12-02T',
      )
      expect(sentence(late)).toContain('it counts into the cycle of that time.')
      expect(late.summary.join()).toContain('it counts into the cycle of that time.')
      expect(sentence(await explained('own'))).not.toContain('Its own cycle')
    }
  })
})

describe('what held when an event was measured explains it, not what holds today:', () => {
  it('a meter made later did not see it', async () => {
    const { event, send, link, explained, call } = await shop()
    await link()
    await send(event('a', { tokens: 1 }))
    await done(
      call()('POST /meters', {
        name: 'Calls',
        event_name: 'completion',
        aggregation: { type: 'count' },
        measurement_unit: 'call',
      }),
    )
    await send(event('b', { tokens: 1 }))
    const outcomes = async (id: string) =>
      new Map((await explained(id)).meters.map(({ name, outcome }) => [name, outcome]))
    expect(await outcomes('a')).toEqual(
      new Map([
        ['Tokens', 'matched'],
        ['Calls', 'not_yet_created'],
      ]),
    )
    expect((await outcomes('b')).get('Calls')).toBe('matched')
  })

  it('a subscription made minutes later leaves it to the default link', async () => {
    const { event, send, link, explained, subscribe } = await shop()
    await link()
    await send(event('a', { tokens: 100 }))
    pipeline.pass(minute)
    const subscription = await subscribe()
    await send(event('b', { tokens: 100 }))
    const [before, later] = [effectOf(await explained('a')), effectOf(await explained('b'))]
    expect(before.route.type).toBe('default_link')
    expect(later.route).toEqual({ type: 'subscription', id: subscription })
    expect(later.credits?.change).toBe('1')
    for (const { usage } of [before, later]) {
      expect(usage).toMatchObject({ before: '0', after: '100', agrees_with_books: true })
    }
  })

  it('what was accepted before and measured after a subscription is its own', async () => {
    const { businessId, event, explained, subscribe } = await shop()
    pipeline.ingest(businessId, [event('a', { tokens: 100 })])
    pipeline.pass(minute)
    const subscription = await subscribe()
    await pipeline.measureAll()
    await pipeline.settle()
    const effect = effectOf(await explained('a'))
    expect(effect.route.id).toBe(subscription)
    expect(effect.usage.agrees_with_books).toBe(true)
  })

  it('a new rate reprices nothing: each segment has its own terms', async () => {
    const { event, send, link, explained, grant } = await shop()
    await link('100')
    await grant('100')
    await send(event('a', { tokens: 150 }))
    pipeline.pass(hour)
    await link('10')
    await send(event('b', { tokens: 50 }))
    const effect = effectOf(await explained('b'))
    expect(effect.usage).toMatchObject({ before: '150', after: '200', agrees_with_books: true })
    expect(effect.credits).toMatchObject({ before: '1.5', after: '6.5', change: '5' })
    expect(effect.credits?.worth_after.map(({ formula }) => formula)).toEqual([
      'trunc(max(0, 150 − 0) ÷ 100, 2) = 1.5',
      'trunc(max(0, 200 − 0) ÷ 10, 2) = 20; less trunc(max(0, 150 − 0) ÷ 10, 2) = 15 of the segments before',
    ])
  })
})
