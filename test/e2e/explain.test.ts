import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  EntryExplanationView,
  EventExplanationView,
  GrantExplanationView,
} from '../../src/wire/explanation.ts'
import { operate, operated } from '../support/process/operator.ts'
import type { Server } from '../support/process/server.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'
import type { Receiver } from '../support/webhooks/receiver.ts'
import { openReceiver } from '../support/webhooks/receiver.ts'

/** A whole server, its sample catalogue, an endpoint that listens, and the operator's command. */
describe('explaining, on a running server', () => {
  const scratch = scratchDirectory()
  const settings = { DATA_DIR: scratch.path }
  let server: Server
  let receiver: Receiver
  let key = ''
  let businessId = ''
  let customer = ''

  beforeAll(async () => {
    receiver = await openReceiver()
    server = await startServer(settings)
    key = server.ready['api_key'] ?? ''
    businessId = server.ready['business_id'] ?? ''
    customer = (await get<{ items: { customer_id: string }[] }>('/customers')).items[0]
      ?.customer_id as string
    expect((await send('/webhooks', { url: receiver.url })).status).toBe(200)
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    await receiver.close()
    scratch.remove()
  })

  const url = (path: string) => `${server.ready['test_url']}${path}`
  const send = (path: string, body: unknown, bearer = key) =>
    fetch(url(path), {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  async function get<T>(path: string, position?: string): Promise<T> {
    const after = position === undefined ? {} : { 'Sluice-After': position }
    const response = await fetch(url(path), {
      headers: { Authorization: `Bearer ${key}`, ...after },
    })
    expect(response.status).toBe(200)
    return (await response.json()) as T
  }

  async function ingest(id: string, metadata: object): Promise<string> {
    const event = { event_id: id, customer_id: customer, event_name: 'llm.completion', metadata }
    const response = await send('/events/ingest', { events: [event] })
    expect(response.status).toBe(200)
    return response.headers.get('sluice-position') ?? ''
  }

  async function command(...words: string[]) {
    const { status, out, error } = await operated(settings, ['explain', ...words, '--json'])
    return { status, error, document: status === 0 ? JSON.parse(out) : null }
  }

  it('an event is explained as soon as it is accepted, webhooks and attempts included', async () => {
    const position = await ingest('evt/1', { tokens: 2500 })
    const path = `/events/${encodeURIComponent('evt/1')}/explanation`
    let explained = await get<EventExplanationView>(path, position)
    const settled = () => explained.meters[0]?.effects[0]?.settling.entries[0]
    expect(settled()?.entry).toMatchObject({ amount: '2.5', balance_after: '997.5' })
    while (settled()?.webhooks.deliveries[0]?.outcome !== 'delivered') {
      await sleep(20)
      explained = await get(path)
    }
    expect(settled()?.webhooks.deliveries[0]).toMatchObject({
      type: 'credit.deducted',
      attempts: [{ number: 1, status: 200, error: null }],
    })
    expect(receiver.received.map(({ id }) => id)).toContain(
      settled()?.webhooks.deliveries[0]?.webhook_message_id,
    )
    expect(explained.meters[0]?.effects[0]?.usage.agrees_with_books).toBe(true)
  })

  it('is the same for the operator, for entries and grants, and after a restart', async () => {
    const position = await ingest('second', { tokens: 10 })
    const none = await ingest('none', { tokens: null })
    const explained = await get<EventExplanationView>('/events/second/explanation', position)
    const entry = explained.meters[0]?.effects[0]?.settling.entries[0]?.entry
    const entryPath = `/credit-ledger-entries/${entry?.id}/explanation`
    const grantPath = `/credit-ledger-entries/${entry?.grant_id}/explanation`
    const ofEntry = await get<EntryExplanationView>(entryPath)
    const ofGrant = await get<GrantExplanationView>(grantPath)
    expect(ofEntry).toMatchObject({
      rule: { name: 'usage_deducted' },
      cause: { events: { count: 1, items: [{ event_id: 'second' }] } },
    })
    expect(ofGrant).toMatchObject({ rule: { name: 'cycle_grant' }, entries: { count: 3 } })
    expect((await command(entry?.id ?? '')).document).toMatchObject({ rule: ofEntry.rule })

    await server.stop('SIGKILL')
    const alone = await command('second', '--business', businessId)
    expect(alone.document.meters[0].effects[0]).toMatchObject({
      usage: explained.meters[0]?.effects[0]?.usage,
      credits: explained.meters[0]?.effects[0]?.credits,
    })
    server = await startServer(settings)
    expect((await get<EntryExplanationView>(entryPath)).cause).toEqual(ofEntry.cause)
    expect(await get<GrantExplanationView>(grantPath)).toEqual(ofGrant)
    const nothing = await get<EventExplanationView>('/events/none/explanation', none)
    expect(nothing.why_nothing).toContain('It did nothing')
  })

  it('asks which one is meant where two businesses use an id, and refuses what is not there', async () => {
    const made = await operate(settings, ['business', 'create', '--name', 'Other'])
    const other = String(made['business_id'])
    const words = ['keys', 'create', '--business', other, '--mode', 'test']
    const bearer = String((await operate(settings, words))['api_key'])
    const body = { name: 'Eve', email: 'eve@example.com' }
    const eve = (await (await send('/customers', body, bearer)).json()) as { customer_id: string }
    const event = { event_id: 'second', customer_id: eve.customer_id, event_name: 'x' }
    expect((await send('/events/ingest', { events: [event] }, bearer)).status).toBe(200)

    const both = await command('second')
    expect(both.status).toBe(2)
    expect(both.error).toContain(`--business ${other} --mode test`)
    expect(both.error).toContain(`--business ${businessId} --mode test`)
    const one = await command('second', '--business', other)
    expect(one.document.event.customer_id).toBe(eve.customer_id)

    for (const id of ['nobody', 'cle_nobody', 'cgr_nobody']) {
      const { status, error } = await command(id)
      expect([status, error]).toEqual([1, expect.stringContaining(`'${id}'`)])
    }
    expect((await command('second', '--mode', 'both')).status).toBe(2)
  })
})
