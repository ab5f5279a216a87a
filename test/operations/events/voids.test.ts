import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Fold } from '../../../src/rules/meter/fold.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { hour, minute } from '../../../src/std/instant.ts'
import { voidSteps } from '../../support/voids/steps.ts'
import type { VoidWorld } from '../../support/voids/world.ts'
import { voidGround } from '../../support/voids/world.ts'

let ground: Awaited<ReturnType<typeof voidGround>>
let world: VoidWorld
const { pass, metered, subscribed, measured, values, voidedOf, contents } = voidSteps(() => world)
beforeAll(async () => {
  ground = await voidGround()
})
afterAll(() => ground.drop())
beforeEach(async () => {
  world = await ground.world()
})

describe('a void', () => {
  it('takes an event out of counts and sums at once, and tells settling', async () => {
    await metered('count', 'sum')
    await measured({ a: 5, b: 7 })
    await world.db.query(sql`delete from unsettled`)
    expect((await world.voidOf('a')).voided).toMatchObject({ pending: false })
    expect(await values()).toEqual({ count: '1 1', sum: '1 7' })
    expect(await world.db.query(sql`select customer_id from unsettled`)).toEqual([
      { customer_id: 'cus_1' },
    ])
  })

  it.each(['max', 'last'] as const)('waits for the archive to fold %s again', async (type) => {
    await metered(type)
    await measured({ a: 5 })
    await measured({ b: 9 })
    await world.db.query(sql`delete from unsettled`)
    expect((await world.voidOf('b')).voided).toMatchObject({ pending: true })
    expect(await values()).toEqual({ [type]: '2 9' })
    expect(await world.db.query(sql`select from unsettled`)).toHaveLength(0)

    expect(await world.folds()).toEqual(['waiting'])
    await world.archive()
    expect(await world.folds()).toEqual(['folded'])
    expect(await values()).toEqual({ [type]: '1 5' })
    expect(await world.db.query(sql`select from unsettled`)).toHaveLength(1)
    expect(await voidedOf('b')).toMatchObject({ pending: false })
  })

  it.each(['max', 'last'] as const)('of all that %s has leaves nothing behind', async (type) => {
    await metered(type)
    await measured({ a: 5 })
    await world.voidOf('a')
    await world.archive()
    await world.folds()
    expect(await values()).toEqual({ [type]: '0 0' })
    // It is the maximum now, and not the 0 that the empty row has kept.
    await measured({ b: -3 })
    expect(await values()).toEqual({ [type]: '1 -3' })
  })

  it('of an event that met no meter changes no usage, and shows all the same', async () => {
    await metered('count')
    await measured({ a: 5 })
    world.send([{ event_id: 'other', customer_id: 'cus_1', event_name: 'other' }])
    await world.measure()
    expect((await world.voidOf('other', 'not ours')).voided).toMatchObject({
      reason: 'not ours',
      at: world.clock.at,
      pending: false,
    })
    expect(await values()).toEqual({ count: '1 1' })
  })

  it('takes back the first copy: a repeat never counted, and does not count now', async () => {
    await metered('sum')
    await measured({ a: 5 })
    await measured({ a: 70 })
    const { event } = await world.voidOf('a')
    expect(event.metadata).toEqual({ n: 5 })
    expect(await values()).toEqual({ sum: '0 0' })
    await measured({ a: 700 })
    expect(await values()).toEqual({ sum: '0 0' })
  })

  it('is one for any number who try at once', async () => {
    await metered('count', 'sum', 'max')
    await measured({ a: 5, b: 7 })
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => world.voidOf('a')))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const tried of tries) {
      if (tried.status === 'rejected') {
        expect(tried.reason).toMatchObject({ code: 'EVENT_ALREADY_VOIDED' })
      }
    }
    expect(await values()).toEqual({ count: '1 1', sum: '1 7', max: '2 7' })
  })

  it('is all of it or nothing', async () => {
    await metered('count', 'max')
    await measured({ a: 5 })
    const before = await contents()
    // The last insert of the function fails.
    await world.db.query(sql`alter table unsettled add constraint refused check (id < 0) not valid`)
    await expect(world.voidOf('a')).rejects.toThrow('refused')
    await world.db.query(sql`alter table unsettled drop constraint refused`)
    expect(await contents()).toBe(before)
    await world.voidOf('a')
    expect(await values()).toEqual({ count: '0 0', max: '1 5' })
  })

  it('knows the routes of an event however often they changed since', async () => {
    const { subscription } = await subscribed()
    await measured({ a: 5 })
    await world.endSubscription(subscription)
    await world.db.query(sql`update customers set routes_version = routes_version + 65533`)
    await world.voidOf('a')
    expect(await world.db.query(sql`select route_id, events from usage order by route_id`)).toEqual(
      [
        { route_id: expect.stringMatching(/^cde_/), events: 0 },
        { route_id: subscription, events: 0 },
      ],
    )
  })

  it('goes by the pauses of a subscription, as measuring did', async () => {
    const { subscription } = await subscribed()
    await world.pauseSubscription(subscription)
    await measured({ a: 5 })
    await world.voidOf('a')
    expect(await world.db.query(sql`select route_id, events from usage`)).toEqual([
      { route_id: expect.stringMatching(/^cde_/), events: 0 },
    ])
  })

  it.each(['a\u0000b', '"quoted"', '\ud83d', '%2F "'])('takes the id %j', async (id) => {
    await metered('count')
    await measured({ [id]: 1 })
    await world.voidOf(id)
    expect(await voidedOf(id)).toMatchObject({ reason: 'a mistake' })
    await expect(world.voidOf(id)).rejects.toMatchObject({ code: 'EVENT_ALREADY_VOIDED' })
    expect(await values()).toEqual({ count: '0 0' })
  })
})

describe('a void is refused', () => {
  it('where there is no such event, or it is on its way', async () => {
    await metered('count')
    await expect(world.voidOf('a')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    world.send([{ event_id: 'a', customer_id: 'cus_1', event_name: 'call' }])
    await expect(world.voidOf('a')).rejects.toMatchObject({
      code: 'EVENT_NOT_MEASURED',
      status: 409,
      retriable: true,
      retryAfterSeconds: 1,
    })
    await expect(world.voidOf('A')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await world.measure()
    await world.voidOf('a')
  })

  it('from more than an hour after the end of its cycle on', async () => {
    const { subscription, links } = await subscribed()
    await measured({ a: 5, b: 7 })
    pass(10 * minute)
    // The cycle ends here, as with a change of plans.
    await world.restretch(subscription, links, true)
    pass(hour)
    await world.voidOf('a')
    pass(1)
    const before = await contents()
    await expect(world.voidOf('b')).rejects.toMatchObject({
      code: 'EVENT_VOID_TOO_LATE',
      retriable: false,
      message: expect.stringContaining('until an hour after the end of its cycle'),
    })
    expect(await contents()).toBe(before)
  })

  it('when its usage is not kept any more', async () => {
    await metered('count', 'max')
    await measured({ a: 5 })
    await world.db.query(sql`delete from usage where aggregation = 'max'`)
    const before = await contents()
    await expect(world.voidOf('a')).rejects.toMatchObject({ code: 'EVENT_VOID_TOO_LATE' })
    expect(await contents()).toBe(before)
  })
})

describe('folding again', () => {
  it('waits for what was measured since the archive', async () => {
    await metered('max')
    await measured({ a: 5, b: 9 })
    await world.voidOf('b')
    await world.archive()
    await measured({ c: 7 })
    expect(await world.folds()).toEqual(['waiting'])
    await world.archive()
    expect(await world.folds()).toEqual(['folded'])
    expect(await values()).toEqual({ max: '2 7' })
    expect(await world.folds()).toEqual([])
  })

  it('folds each hour of log time for itself', async () => {
    await metered('max')
    await measured({ a: 5 })
    pass(hour)
    await measured({ b: 9 })
    await world.voidOf('a')
    await world.archive()
    expect(await world.folds()).toEqual(['folded'])
    expect(await values()).toEqual({ max: '0 0, 1 9' })
  })

  it('never puts an old fold over a newer one', async () => {
    await metered('max')
    await measured({ a: 5, b: 9 })
    await world.voidOf('b')
    await world.archive()
    const [row] = await world.voids.due(1)
    if (row === undefined) throw new Error('Nothing is due.')
    const state = await world.voids.state(row)
    if (state === null) throw new Error('There is no row.')
    const stale: Fold = { aggregation: 'max', events: 1, value: usage(5n * 10n ** 18n), last: null }

    expect(await world.folds()).toEqual(['folded'])
    await measured({ c: 7 })
    // It has as many events as before, and others: the fold took one out, and one has come since.
    expect(await values()).toEqual({ max: '2 7' })
    expect(await world.voids.foldAgain(row, state, stale)).toBe(false)
    expect(await values()).toEqual({ max: '2 7' })
    expect(await world.voids.state(row)).toBeNull()
  })

  it('may be done by several at once', async () => {
    await metered('max', 'last')
    await measured({ a: 5, b: 9, c: 7 })
    await world.archive()
    await Promise.all([world.voidOf('b'), world.voidOf('c')])
    await Promise.all([world.folds(), world.folds(), world.folds()])
    await world.folds()
    expect(await values()).toEqual({ max: '1 5', last: '1 5' })
    expect(await voidedOf('b')).toMatchObject({ pending: false })
    expect(await voidedOf('c')).toMatchObject({ pending: false })
  })

  it('is claimed by one at a time, and comes back later and later', async () => {
    await metered('max')
    await measured({ a: 5 })
    await world.voidOf('a')
    const claims = await Promise.all([world.voids.due(10), world.voids.due(10)])
    expect(claims.flat()).toMatchObject([{ tries: 0 }])
    const [row] = await world.db.query<{ seconds: string }>(
      sql`select extract(epoch from due_at - now()) as seconds from void_folds`,
    )
    expect(Number(row?.seconds)).toBeLessThanOrEqual(1)
  })
})
