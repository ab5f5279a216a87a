import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { second } from '../../../src/std/instant.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'

/** Of the pipeline's log. */
const partitions = 2

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())
afterEach(() => vi.restoreAllMocks())

/** How many statements the store is sent by this work. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const { length } = sent.mock.calls
  sent.mockRestore()
  return length
}

it('takes one statement a partition to measure, and three to settle, however much there is', async () => {
  const shop = await openShop(pipeline)
  await shop.link()
  const customers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const body = { name: `Customer ${n}`, email: `customer-${n}@example.com` }
      return String((await shop.call()('POST /customers', body)).body.customer_id)
    }),
  )
  let sent = 0
  const ingest = (count: number) => {
    pipeline.pass(second)
    const events = Array.from({ length: count }, (_, n) => {
      const customer = customers[n % customers.length] ?? ''
      sent += 1
      return { ...shop.event(`event ${sent}`, { tokens: 1 }), customer }
    })
    pipeline.ingest(shop.businessId, events)
  }
  // Everybody has been measured before, and so are the catalogue and the checkpoints known.
  ingest(200)
  await pipeline.measureAll()
  await pipeline.settle()
  for (const count of [1, 200]) {
    ingest(count)
    const measured = await statements(() => pipeline.measureAll())
    // One commit of each partition that has something, and each is one statement.
    expect(measured).toBe(Math.min(count, partitions))
    expect(await statements(() => pipeline.settle())).toBe(3)
  }
})
