import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openForgetting } from '../../../src/engine/sweeps/forgetting.ts'
import { voidEvent } from '../../../src/operations/events/void-event.ts'
import { forgetting } from '../../../src/parts/store/postgres/archive/forgetting.ts'
import { businesses } from '../../../src/parts/store/postgres/catalog/businesses.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { voids } from '../../../src/parts/store/postgres/usage/voids.ts'
import { day, second } from '../../../src/std/instant.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'
import { quiet } from '../../support/runtime/logger.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

/** Runs one whole round; answers what it deleted. */
async function forgot(): Promise<unknown> {
  let asked = 0
  const told: unknown[] = []
  const store = forgetting(pipeline.db)
  const sweep = openForgetting({
    store: {
      ...store,
      async routing(of) {
        const page = await store.routing(of)
        if (page.last === null) asked += 1
        return page
      },
    },
    retention: 90 * day,
    clock: { believed: () => pipeline.clock.now() },
    logger: quiet,
    forgot: (rows) => told.push(rows),
  })
  sweep.start()
  await expect.poll(() => asked).toBe(1)
  await sweep.stop()
  return told[0] ?? null
}

/** Notes how far measuring is, as a round does some minutes after versions were replaced. */
async function notePlaces(): Promise<void> {
  for (const table of [sql`meter_versions`, sql`link_versions`, sql`route_versions`]) {
    await pipeline.db.query(sql`
      update ${table} set replaced_at = replaced_at - interval '1 hour'
      where replaced_at is not null and measured is null`)
  }
  await forgetting(pipeline.db).versions({ rowsMax: 0, keptFrom: {} })
}

async function versionsOf(creditId: string): Promise<number> {
  const [row] = await pipeline.db.query<{ count: number }>(sql`
    select count(*)::integer as count from link_versions
    where credit_entitlement_id = ${creditId}`)
  return row?.count ?? 0
}

async function changesOf(subject: string): Promise<number> {
  const [row] = await pipeline.db.query<{ count: number }>(
    sql`select count(*)::integer as count from routing_history where subject_id = ${subject}`,
  )
  return row?.count ?? 0
}

describe('changes of routing', () => {
  it('go when no kept event was measured with them, and explanations stay as they were', async () => {
    const { businessId, creditId, event, explained, link, send, meterId } = await openShop(pipeline)
    await link('1000')
    // In both partitions, so that each has something behind it: chance alone deals them, and of 32
    // all are dealt to one once in two thousand million times.
    const many = (name: string) =>
      Array.from({ length: 32 }, (_, n) => event(`${name}${n}`, { tokens: 1_000 }))
    await send(...many('old'))
    await pipeline.archive()
    for (const rate of ['500', '250', '125']) await link(rate)
    await notePlaces()
    await send(...many('kept'))
    await pipeline.archive()
    await link('50')
    await link('25')
    expect(await versionsOf(creditId)).toBe(7)
    expect(await changesOf(creditId)).toBe(6)
    expect(await forgot()).toBeNull()

    // As the archive drops a day: what is kept was measured at 125.
    await pipeline.db.query(sql`
      delete from archive_blocks where block_id in (
        select min(block_id) from archive_blocks group by partition)`)
    const before = await explained('kept0')
    expect(before.meters[0]?.effects[0]?.terms.meter_units_per_credit).toBe('125')
    expect(await forgot()).toEqual({ routing_history: 3, versions: 4, quarantine: 0 })
    expect(await changesOf(creditId)).toBe(3)
    expect(await changesOf(meterId)).toBe(1)
    expect(await explained('kept0')).toEqual(before)
    expect(await forgot()).toBeNull()

    // What is left is what it was measured under, and what holds since: it can be taken back.
    expect(await versionsOf(creditId)).toBe(3)
    await notePlaces()
    expect(await forgot()).toBeNull()
    await voidEvent(
      { ...pipeline.explaining, voids: voids(pipeline.db), businesses: businesses(pipeline.db) },
      { owner: { businessId, mode: 'test' }, eventId: 'kept0', reason: 'by mistake' },
    )
  })
})

it('a record that could not be read is emptied when events of its time are gone', async () => {
  const { db } = pipeline
  await db.query(sql`
    insert into quarantine (partition, record_offset, reason, value, events, recorded_at) values
      (0, 900, 'broken', 'old', 3, ${'2020-01-01'}), (0, 901, 'broken', 'new', 3, ${'2100-01-01'})`)
  pipeline.pass(second)
  expect(await forgot()).toEqual({ routing_history: 0, versions: 0, quarantine: 1 })
  const rows = await db.query<{ record_offset: number; size: number; events: number }>(sql`
    select record_offset, length(value) as size, events from quarantine order by record_offset`)
  expect(rows).toEqual([
    { record_offset: 900, size: 0, events: 3 },
    { record_offset: 901, size: 3, events: 3 },
  ])
})
