import DodoPayments from 'dodopayments'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { furnish } from '../support/process/furnish.ts'
import type { Server } from '../support/process/server.ts'
import { startServer } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import type { EventSource } from '../support/webhooks/event-source.ts'
import { eventSource } from '../support/webhooks/event-source.ts'
import { distributedMissing, openDistributed } from './distributed-parts.ts'
import type { OpenedParts } from './parts.ts'
import type { Subscriber } from './plan.ts'
import { subscriber } from './plan.ts'

const patient = { timeout: 120_000, interval: 100 }

describeWith(distributedMissing, 'the stream of webhooks of several processes', () => {
  let parts: OpenedParts
  let key = ''
  const servers = new Map<string, Server>()
  const sources: EventSource[] = []
  const start = async (name: string, roles: string) => {
    servers.set(name, await startServer(parts.environment, roles))
  }
  const urlOf = (name: string) => servers.get(name)?.ready['test_url'] ?? ''
  const clientOf = (name: string) => new DodoPayments({ bearerToken: key, baseURL: urlOf(name) })
  beforeAll(async () => {
    parts = await openDistributed()
    await start('one', 'http')
    await start('other', 'http')
    await start('work', 'billing,sweeps,delivery,archive')
    key = (await furnish(parts.environment)).keys.write
  }, 240_000)
  afterAll(async () => {
    for (const source of sources) source.close()
    for (const server of servers.values()) await server.stop('SIGKILL')
    await parts?.close()
  })

  async function reading(name: string, again?: () => string): Promise<EventSource> {
    const url = `${urlOf(name)}/webhooks/stream`
    const headers = { Authorization: `Bearer ${key}` }
    const source = eventSource(url, { headers, ...(again === undefined ? {} : { again }) })
    sources.push(source)
    await expect.poll(() => source.lastEventId, patient).not.toBe(null)
    return source
  }

  /** A manual credit, which is told as one fact. Answers the id of its ledger entry. */
  async function adjust(name: string, one: Subscriber): Promise<string> {
    const { id } = await clientOf(name).creditEntitlements.balances.createLedgerEntry(
      one.customerId,
      { credit_entitlement_id: one.creditId, amount: '1', entry_type: 'credit' },
    )
    return id
  }

  it('brings at each what happened at the other, and goes on there without a gap', {
    timeout: 300_000,
  }, async () => {
    const one = await subscriber({ client: () => clientOf('one') })
    // Where it is, and where it goes when that is gone.
    let next = 'other'
    const wanderer = await reading('one', () => `${urlOf(next)}/webhooks/stream`)
    const stayer = await reading('one')
    const made: string[] = []
    for (let count = 0; count < 10; count += 1) {
      made.push(await adjust(count % 2 === 0 ? 'one' : 'other', one))
    }
    for (const source of [wanderer, stayer]) {
      await expect.poll(() => entriesIn(source), patient).toEqual(expect.arrayContaining(made))
    }

    // The process of the reader dies, while facts are made at the other one.
    const writing = (async () => {
      for (let count = 0; count < 20; count += 1) made.push(await adjust('other', one))
    })()
    await servers.get('one')?.stop('SIGKILL')
    await writing
    await expect.poll(() => entriesIn(wanderer), patient).toEqual(expect.arrayContaining(made))
    expect(wanderer.ends).toBeGreaterThanOrEqual(1)

    // Back again, by a restart: what was made while nobody listened comes, too.
    await start('one', 'http')
    next = 'one'
    await servers.get('other')?.stop('SIGTERM')
    for (let count = 0; count < 10; count += 1) made.push(await adjust('one', one))
    await expect.poll(() => entriesIn(wanderer), patient).toEqual(expect.arrayContaining(made))

    // Each once, to the byte the same at both, whenever one comes.
    const ids = wanderer.events.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(entriesIn(wanderer).filter((id) => made.includes(id))).toHaveLength(made.length)
    const from = stayer.events[0]
    expect(wanderer.events.find(({ id }) => id === from?.id)).toEqual(from)
  })
})

const entriesIn = ({ events }: EventSource): readonly string[] =>
  events.map(({ data }) => (JSON.parse(data) as { data: Record<string, string> }).data['id'] ?? '')
