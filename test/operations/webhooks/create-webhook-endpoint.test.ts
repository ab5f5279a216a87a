import { afterAll, beforeAll, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
} from '../../../src/operations/webhooks/change-webhook-endpoint.ts'
import { createWebhookEndpoint } from '../../../src/operations/webhooks/create-webhook-endpoint.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Mode } from '../../../src/rules/meter/meter.ts'
import { after, second } from '../../../src/std/instant.ts'
import type { WebhookCreateParams } from '../../../src/wire/webhook-endpoint.ts'
import { wantedEndpoint } from '../../../src/wire/webhook-endpoint.ts'
import { noon, openBooks, webhookPorts } from '../../support/store/books.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

let scratch: ScratchDatabase
beforeAll(async () => {
  scratch = await scratchDatabase()
})
afterAll(() => scratch.drop())

const url = 'https://example.com/hooks'

it('makes at most 50 of a business, in both modes, however many are wanted at once', async () => {
  const { businessId } = await openBooks(scratch.db)
  await scratch.db.query(
    sql`insert into business_modes (business_id, mode) values (${businessId}, 'live')`,
  )
  const ports = webhookPorts(scratch.db)
  const make = async (at: number) => {
    const mode: Mode = at % 2 === 0 ? 'test' : 'live'
    const wanted = wantedEndpoint({ url, idempotency_key: `key-${at}` })
    const scope = { businessId, mode }
    return { scope, made: await createWebhookEndpoint(ports, scope, { wanted, at: noon }) }
  }
  const tried = async (at: number) =>
    make(at).then(
      () => 'made',
      (fault: unknown) => (fault instanceof Fault ? fault.code : 'broken'),
    )
  const all = await Promise.all(Array.from({ length: 60 }, (_, at) => tried(at)))
  expect(all.filter((code) => code === 'made')).toHaveLength(50)
  expect(all.filter((code) => code === 'MAXIMUM_WEBHOOKS_REACHED')).toHaveLength(10)

  // A repeated create is still answered, and deleting an endpoint makes room for a new one.
  const known = await make(all.indexOf('made'))
  expect(await tried(100)).toBe('MAXIMUM_WEBHOOKS_REACHED')
  const { webhookId } = known.made
  await deleteWebhookEndpoint(ports, known.scope, { webhookId, at: noon })
  expect([await tried(100), await tried(101)]).toEqual(['made', 'MAXIMUM_WEBHOOKS_REACHED'])
})

it('is not made by the key of another, and still answered once that has changed', async () => {
  const { businessId } = await openBooks(scratch.db)
  const [ports, scope] = [webhookPorts(scratch.db), { businessId, mode: 'test' } as const]
  const make = (body: Partial<WebhookCreateParams>) => {
    const wanted = wantedEndpoint({
      url,
      headers: { 'X-Team': 'a' },
      idempotency_key: 'k',
      ...body,
    })
    return createWebhookEndpoint(ports, scope, { wanted, at: noon })
  }
  const first = await make({ metadata: { a: 'b', c: 'd' } })
  const again = await make({ metadata: { c: 'd', a: 'b' }, description: null })
  expect(again.webhookId).toBe(first.webhookId)
  for (const other of [
    { url: `${url}/other` },
    { disabled: true },
    { headers: { 'X-Team': 'b' } },
    { headers: {} },
    { filter_types: ['credit.added'] as const },
    { rate_limit: 1 },
    { metadata: {} },
  ]) {
    const tried = make({ metadata: { a: 'b', c: 'd' }, ...other })
    await expect(tried, JSON.stringify(other)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  }
  // Of two spellings of one header the last one counts, each time.
  const twice = { headers: { 'X-Team': 'a', 'x-team': 'b' }, idempotency_key: 'twice' }
  expect((await make(twice)).webhookId).toBe((await make(twice)).webhookId)

  const { webhookId } = first
  const change = { description: 'Ours' }
  await changeWebhookEndpoint(ports, scope, { webhookId, change, at: after(noon, second) })
  expect(await make({})).toMatchObject({ webhookId, description: 'Ours' })
})
