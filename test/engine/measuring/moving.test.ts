import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restlessFor } from '../../../src/engine/measuring/moved.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { BusinessCatalog } from '../../../src/rules/meter/measure-types.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { formatInstant } from '../../../src/std/instant.ts'
import { memoryLog } from '../../support/event-log/memory-log.ts'
import { measuringOn } from '../../support/measuring/measuring-on.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'

/** A business moves a version whenever something is to be committed under it. */
describe('measuring under versions that always move', () => {
  let store: ScratchStore
  let [victim, offender]: Business[] = []
  beforeAll(async () => {
    store = await scratchStore()
    victim = await business()
    offender = await business()
  })
  afterAll(() => store.drop())

  interface Business extends Scope {
    readonly customerId: string
  }

  async function business(): Promise<Business> {
    const scope = await store.business()
    const customerId = await store.customer(scope)
    // It links the meter by default.
    await store.entitlement(scope)
    const at = systemClock().now()
    const row = {
      meterId: 'mtr_calls',
      name: 'Calls',
      eventName: 'call',
      measurementUnit: 'call',
      aggregation: { type: 'count', key: null },
      filter: null,
      description: null,
      archived: [],
      archivedAt: null,
      createdAt: at,
      updatedAt: at,
    } as const
    await store.changes.commit(rowAlone(scope, { noun: 'meter', expected: null, row }))
    return { ...scope, customerId }
  }

  const moveCatalog = () =>
    store.db.query(sql`
      update business_modes set catalog_version = catalog_version + 1
      where business_id = ${offender?.businessId} and mode = 'test'`)
  const moveRoutes = () =>
    store.db.query(sql`
      update customers set routes_version = routes_version + 1
      where customer_id = ${offender?.customerId}`)

  it.each([
    ['a catalog', moveCatalog],
    ['routes', moveRoutes],
  ])('ends after one more look and one that holds them: %s', async (what, move) => {
    await store.db.query(sql`truncate batches, checkpoints, usage, unsettled`)
    const log = memoryLog(1)
    for (let number = 0; number < 20; number += 1) append(`${what} ${number}`, victim)
    append(`${what} theirs`, offender)
    const [again, moves]: [string[], Promise<unknown>[]] = [[], []]
    const measuredAgain: string[] = []
    let [ran, moving] = [0, true]
    const { step } = await measuringOn(store.db, log, {
      ...systemClock(),
      store: {
        commit: async (measured) => {
          if (moving) await move()
          return store.measuring.commit(measured)
        },
        holding: (versions, work) =>
          store.measuring.holding(versions, (commit) =>
            work(async (measured) => {
              // Its changes go on, and wait until this is committed.
              if (moving) moves.push(move())
              await new Promise((done) => setTimeout(done, 50))
              return commit(measured)
            }),
          ),
      },
      again: (how) => void again.push(how),
      monotonic: () => ran,
      measuredAgain: ({ catalogs }) => {
        const read = JSON.parse(new TextDecoder().decode(catalogs)) as BusinessCatalog[]
        measuredAgain.push(...read.map(({ businessId }) => businessId))
      },
    })
    await step()
    expect(again).toEqual(['loaded', 'held'])
    // Nothing of businesses that changed nothing.
    const theirs = what === 'routes' ? [] : [offender?.businessId, offender?.businessId]
    expect(measuredAgain).toEqual(theirs)
    const [counted] = await store.db.query<{ events: number }>(sql`
      select sum(billed)::bigint as events from checkpoints`)
    expect(counted?.events).toBe(21)
    // The versions of a recent offender are held as soon as they have moved again, for a while;
    // where they have not, they cost nothing.
    const next = async (eventId: string, of: Business | undefined) => {
      again.length = 0
      append(`${what} ${eventId}`, of)
      await step()
      return again
    }
    expect(await next('soon', offender)).toEqual(['held'])
    moving = false
    await Promise.all(moves)
    expect(await next('last', offender)).toEqual(['held'])
    const often = measuredAgain.length
    expect(await next('unmoved', offender)).toEqual([])
    expect(measuredAgain).toHaveLength(often)
    moving = true
    ran += 0.6 * restlessFor
    expect(await next('still', offender)).toEqual(['held'])
    expect(await next('of another', victim)).toEqual([])
    ran += 0.6 * restlessFor
    expect(await next('again', offender)).toEqual(['held'])
    ran += 1.1 * restlessFor
    expect(await next('late', offender)).toEqual(['loaded', 'held'])
    await Promise.all(moves)

    function append(eventId: string, of: Business | undefined): void {
      const at = systemClock().now()
      const line = {
        business_id: of?.businessId,
        mode: 'test',
        customer_id: of?.customerId,
        event_id: eventId,
        event_name: 'call',
        timestamp: formatInstant(at),
      }
      const value = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
      log.append({ partition: 0, value, events: 1 }, at)
    }
  })
})
