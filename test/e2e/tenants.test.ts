import { beforeAll, describe, expect, it } from 'vitest'
import { furnish } from '../support/process/furnish.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'
import { bodies, lists } from './targets.ts'
import { world } from './world.ts'

const at = world()

/** Everything of one business, and those who must not see it. */
let of: Subscriber
let eventId: string
let entryId: string
let webhookId: string
let strangers: readonly (readonly [string, { readonly key: string; readonly live?: boolean }])[]
let before: string

beforeAll(async () => {
  of = await subscriber(at)
  eventId = fresh('secret')
  const position = await of.use({ event_id: eventId, metadata: { secret: 'known to nobody' } })
  const [entry] = await of.ledger(position)
  entryId = entry?.id ?? ''
  const webhook = await at.client().webhooks.create({ url: 'http://127.0.0.1:9/' })
  webhookId = webhook.id
  const { keys } = await furnish(at.environment)
  strangers = [
    ['another business', { key: keys.write }],
    ['the other mode', { key: at.keys.live, live: true }],
    ['another business in the other mode', { key: keys.live, live: true }],
  ]
  before = await everything()
}, 60_000)

/** Everything that the owner sees and that reading does not change. */
async function everything(): Promise<string> {
  const seen = await Promise.all(
    [
      `/customers/${of.customerId}`,
      `/meters/${of.meterIds[0]}`,
      `/credit-entitlements/${of.creditId}`,
      `/products/${of.productId}`,
      `/subscriptions/${of.subscriptionId}`,
      `/events/${encodeURIComponent(eventId)}`,
      `/webhooks/${webhookId}`,
      `/credit-entitlements/${of.creditId}/balances/${of.customerId}/ledger`,
    ].map((path) => at.call(`GET ${path as `/${string}`}`)),
  )
  expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 200))
  return seen.map(({ text }) => text).join('\n')
}

const idsOf = () => [of.customerId, of.creditId, of.productId, of.subscriptionId, of.meterIds[0]]

describe('a business', () => {
  it('shows nothing of itself to others, by id or in a list', async () => {
    const event = encodeURIComponent(eventId)
    const single = [
      `/customers/${of.customerId}`,
      `/customers/${of.customerId}/credit-entitlements`,
      `/meters/${of.meterIds[0]}`,
      `/credit-entitlements/${of.creditId}`,
      `/products/${of.productId}`,
      `/subscriptions/${of.subscriptionId}`,
      `/subscriptions/${of.subscriptionId}/credit-usage`,
      `/events/${event}`,
      `/events/${event}/explanation`,
      `/credit-ledger-entries/${entryId}/explanation`,
      ...['', '/secret', '/headers', '/messages'].map((more) => `/webhooks/${webhookId}${more}`),
    ]
    for (const [who, options] of strangers) {
      for (const path of single) {
        const { status } = await at.call(`GET ${path as `/${string}`}`, options)
        expect([who, path, status]).toEqual([who, path, 404])
      }
      for (const [path] of lists(of)) {
        const { status, text } = await at.call(`GET ${path}`, options)
        expect([who, path, [200, 404].includes(status)]).toEqual([who, path, true])
        for (const id of idsOf()) expect(text.replace(path, '')).not.toContain(`"${id}"`)
      }
    }
  })

  it('lets nobody else change, use or refer to what is its own', async () => {
    const event = encodeURIComponent(eventId)
    const others = [
      ['DELETE', `/meters/${of.meterIds[0]}`],
      ['POST', `/meters/${of.meterIds[0]}/unarchive`],
      ['DELETE', `/credit-entitlements/${of.creditId}`],
      ['POST', `/credit-entitlements/${of.creditId}/undelete`],
      ['DELETE', `/products/${of.productId}`],
      ['POST', `/products/${of.productId}/unarchive`],
      ['DELETE', `/subscriptions/${of.subscriptionId}/change-plan/scheduled`],
      ['POST', `/webhooks/${webhookId}/secret/rotate`],
      ['DELETE', `/webhooks/${webhookId}`],
    ] as const
    // What names nothing of the business does not concern it.
    const selling = ['new brand', 'new add-on', 'new collection']
    const free = ['new customer', 'meter', 'webhook endpoint', 'clock', ...selling]
    const named = Object.entries(bodies).filter(([name]) => !free.includes(name))
    for (const [who, options] of strangers) {
      for (const [name, make] of named) {
        const [target, body] = make(of)
        const answer = await at.call(target, { ...options, body: body() })
        const isUnknown = ['NOT_FOUND', 'MISSING_METER_IDS'].includes(String(answer.body?.['code']))
        expect([who, name, answer.text, isUnknown]).toEqual([who, name, answer.text, true])
      }
      for (const [method, path] of others) {
        const { status } = await at.call(`${method} ${path as `/${string}`}`, options)
        expect([who, method, path, status]).toEqual([who, method, path, 404])
      }
      const voided = { ...options, body: { reason: 'mine now' } }
      expect((await at.call(`POST /events/${event}/void`, voided)).status).toBe(404)
      const pointed = { ...options, body: { url: 'https://example.com/elsewhere' } }
      expect((await at.call(`PATCH /webhooks/${webhookId}`, pointed)).status).toBe(404)
    }
    expect(await everything()).toBe(before)
  })

  it('has events and ids of its own, whatever others call theirs', async () => {
    const [[, options] = ['', { key: '' }]] = strangers
    const customer = await at.call('POST /customers', {
      ...options,
      body: { email: 'a@example.com', name: 'A' },
    })
    const customer_id = customer.body?.['customer_id']
    const event = { event_id: eventId, customer_id, event_name: of.eventNames[0] }
    const answer = await at.call('POST /events/ingest', { ...options, body: { events: [event] } })
    expect(answer.body).toEqual({ ingested_count: 1 })
    expect((await of.balance(answer.headers.get('sluice-position') ?? '')).balance).toBe('99')
  })
})
