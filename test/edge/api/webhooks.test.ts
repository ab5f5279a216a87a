import DodoPayments from 'dodopayments'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhooks } from '../../../src/edge/api/webhooks.ts'
import type { Reply, Request, Route } from '../../../src/edge/http/route.ts'
import { Fault } from '../../../src/faults.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Mode } from '../../../src/rules/meter/meter.ts'
import { after, second } from '../../../src/std/instant.ts'
import type { WebhookDetails } from '../../../src/wire/webhook-endpoint.ts'
import { somebody } from '../../support/edge/call.ts'
import { noon, openBooks, webhookPorts } from '../../support/store/books.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

let scratch: ScratchDatabase
let routes: readonly Route[]
let businessId: string
let ticks = 0

beforeAll(async () => {
  scratch = await scratchDatabase()
  routes = webhooks(webhookPorts(scratch.db))
})
afterAll(() => scratch.drop())
beforeEach(async () => {
  businessId = (await openBooks(scratch.db)).businessId
  await scratch.db.query(
    sql`insert into business_modes (business_id, mode) values (${businessId}, 'live')`,
  )
})

/** Sends a request to the routes as the edge would; `body` travels as JSON. */
async function send(
  line: string,
  body?: unknown,
  mode: Mode = 'test',
  business = businessId,
): Promise<Reply> {
  const [method = '', target = ''] = line.split(' ')
  const url = new URL(target, 'http://test')
  for (const one of routes) {
    const pattern = new RegExp(`^${one.pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const match = one.method === method ? pattern.exec(url.pathname) : null
    if (match !== null) return one.handler(requestOf(match.groups ?? {}))
  }
  throw new Error(`no route for ${line}`)

  function requestOf(params: Readonly<Record<string, string>>): Request {
    ticks += 1
    return {
      id: 'req_1',
      method,
      path: url.pathname,
      mode,
      caller: { ...somebody, businessId: business, mode },
      at: after(noon, ticks * second),
      param: (name) => params[name] ?? '',
      query: (name) => url.searchParams.get(name),
      queried: () => [],
      header: () => null,
      address: null,
      onOver: () => undefined,
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    }
  }
}

async function created(params: object, mode: Mode = 'test'): Promise<WebhookDetails> {
  const reply = await send('POST /webhooks', params, mode)
  expect(reply.status).toBe(200)
  return reply.body as WebhookDetails
}

async function refused(going: Promise<Reply>): Promise<{ code: string; message: string }> {
  const error = await going.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Fault)) throw new Error('It was not refused.', { cause: error })
  return { code: error.code, message: error.message }
}

const url = 'https://example.com/hooks'

describe('webhook endpoints', () => {
  it('are created with every field answered, and read back the same', async () => {
    const details = await created({ url })
    expect(details).toEqual({
      id: expect.stringMatching(/^whk_[\w-]{21}$/),
      url,
      description: '',
      metadata: {},
      disabled: false,
      filter_types: [],
      rate_limit: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: details.created_at,
    })
    expect(await send(`GET /webhooks/${details.id}`)).toEqual({ status: 200, body: details })
    const full = {
      url,
      description: 'Ours',
      metadata: { team: 'billing' },
      disabled: true,
      filter_types: ['credit.added', 'payment.succeeded'],
      rate_limit: 0,
    }
    expect(await created(full)).toMatchObject(full)
    expect(await created({ url, description: null, headers: null, metadata: null })).toMatchObject({
      description: '',
      metadata: {},
    })
  })

  it.each([
    [{}, 'url is required'],
    [{ url: 7 }, 'url must be a string'],
    [{ url: 'ftp://example.com' }, 'https://'],
    [{ url: 'http://10.0.0.1/' }, 'public'],
    [{ url: 'http://169.254.169.254/' }, 'public'],
    [{ url, filter_types: ['credit.eaten'] }, 'filter_types[0] must be one of'],
    [{ url, rate_limit: -1 }, 'rate_limit'],
    [{ url, rate_limit: 2 ** 31 }, 'rate_limit'],
    [{ url, rate_limit: 1.5 }, 'rate_limit'],
    [{ url, metadata: { a: 1 } }, 'metadata.a'],
    [{ url, headers: { 'a b': 'c' } }, 'headers'],
    [{ url, headers: { a: 'x\r\nwebhook-id: forged' } }, 'headers.a'],
    [{ url, headers: { 'Webhook-Signature': 'x' } }, 'headers.Webhook-Signature'],
    [{ url, headers: { 'content-length': '0' } }, 'headers.content-length'],
    [{ url, idempotency_key: '' }, 'idempotency_key'],
    [[], 'The body must be an object'],
  ])('are refused: %j', async (body, words) => {
    const { code, message } = await refused(send('POST /webhooks', body))
    expect(code).toBe('INVALID_REQUEST_BODY')
    expect(message).toContain(words)
  })

  it('hold at most 50 metadata keys', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v']))
    expect((await refused(send('POST /webhooks', { url, metadata }))).code).toBe(
      'MAXIMUM_KEYS_REACHED',
    )
  })

  it('may lie on loopback in test mode, not in live mode', async () => {
    const local = 'http://127.0.0.1:4000/hooks'
    expect((await created({ url: local })).url).toBe(local)
    expect((await refused(send('POST /webhooks', { url: local }, 'live'))).message).toContain(
      'live',
    )
    const { id } = await created({ url }, 'live')
    const moved = send(`PATCH /webhooks/${id}`, { url: 'http://localhost/' }, 'live')
    expect((await refused(moved)).code).toBe('INVALID_REQUEST_BODY')
  })

  it('are created once per idempotency key, even at the same moment', async () => {
    const body = { url, idempotency_key: 'once' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => created(body)))
    expect(new Set(replies.map((reply) => reply.id)).size).toBe(1)
    expect((await created({ url, idempotency_key: 'other' })).id).not.toBe(replies[0]?.id)
    expect((await created(body, 'live')).id).not.toBe(replies[0]?.id)
    await send(`DELETE /webhooks/${replies[0]?.id}`)
    expect((await created(body)).id).not.toBe(replies[0]?.id)
  })

  it('change in what was sent, and only in that', async () => {
    const { id, ...before } = await created({
      url,
      description: 'Ours',
      metadata: { a: 'b' },
      filter_types: ['credit.added'],
      rate_limit: 5,
    })
    const patch = async (body: object) => (await send(`PATCH /webhooks/${id}`, body)).body
    expect(await patch({})).toMatchObject({ ...before, updated_at: expect.any(String) })
    const nothing = { url: null, disabled: null }
    expect(await patch(nothing)).toMatchObject({ url, disabled: false, rate_limit: 5 })
    expect(await patch({ disabled: true, rate_limit: 9 })).toMatchObject({
      disabled: true,
      rate_limit: 9,
      filter_types: ['credit.added'],
    })
    const empty = { description: null, metadata: null, filter_types: null, rate_limit: null }
    expect(await patch(empty)).toMatchObject({
      description: '',
      metadata: {},
      filter_types: [],
      rate_limit: null,
      disabled: true,
      created_at: before.created_at,
    })
    expect(await patch({ url: `${url}/2` })).toMatchObject({ url: `${url}/2` })
  })

  it('have a secret of their own that lies sealed in the store', async () => {
    const { id } = await created({ url, headers: { Authorization: 'Bearer abc' } })
    const other = await created({ url })
    const secretOf = async (one: string) =>
      ((await send(`GET /webhooks/${one}/secret`)).body as { secret: string }).secret
    const secret = await secretOf(id)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(await secretOf(other.id)).not.toBe(secret)
    expect(await secretOf(id)).toBe(secret)
    const [row] = await scratch.db.query<{ secret: Buffer; headers: object }>(
      sql`select secret, headers from webhook_endpoints where webhook_id = ${id}`,
    )
    expect(row?.secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false)
    expect(JSON.stringify(row?.headers)).not.toContain('Bearer')
  })

  it('show their headers, credentials by name only, and merge changes', async () => {
    const { id } = await created({ url, headers: { 'X-One': '1', Authorization: 'Bearer abc' } })
    const read = async () => (await send(`GET /webhooks/${id}/headers`)).body
    expect(await read()).toEqual({ headers: { 'X-One': '1' }, sensitive: ['Authorization'] })
    const reply = await send(`PATCH /webhooks/${id}/headers`, { headers: { 'x-one': '2', b: '3' } })
    expect(reply).toEqual({ status: 204 })
    expect(await read()).toEqual({
      headers: { 'x-one': '2', b: '3' },
      sensitive: ['Authorization'],
    })
    const forged = send(`PATCH /webhooks/${id}/headers`, { headers: { host: 'x' } })
    expect((await refused(forged)).code).toBe('INVALID_REQUEST_BODY')
    expect((await refused(send(`PATCH /webhooks/${id}/headers`, {}))).message).toContain('headers')
  })

  it('are nobody else’s: not another business’s, not the other mode’s, not when deleted', async () => {
    const { id } = await created({ url })
    const stranger = (await openBooks(scratch.db)).businessId
    const lines: readonly (readonly [string, unknown])[] = [
      [`GET /webhooks/${id}`, undefined],
      [`GET /webhooks/${id}/secret`, undefined],
      [`GET /webhooks/${id}/headers`, undefined],
      [`PATCH /webhooks/${id}`, { disabled: true }],
      [`PATCH /webhooks/${id}/headers`, { headers: { a: 'b' } }],
      [`DELETE /webhooks/${id}`, undefined],
    ]
    for (const [line, body] of lines) {
      expect((await refused(send(line, body, 'test', stranger))).code).toBe('NOT_FOUND')
      expect((await refused(send(line, body, 'live'))).code).toBe('NOT_FOUND')
    }
    expect(await send(`DELETE /webhooks/${id}`)).toEqual({ status: 204 })
    for (const [line, body] of lines)
      expect((await refused(send(line, body))).code).toBe('NOT_FOUND')
    expect((await send('GET /webhooks')).body).toMatchObject({ data: [], done: true })
  })

  it('list newest first, forth and back by iterator', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.unshift((await created({ url })).id)
    interface List {
      data: WebhookDetails[]
      done: boolean
      iterator: string | null
      prev_iterator: string | null
    }
    const list = async (query: string): Promise<List> =>
      (await send(`GET /webhooks?${query}`)).body as List
    const idsOf = ({ data }: List) => data.map((one) => one.id)
    const first = await list('limit=2')
    expect(idsOf(first)).toEqual(ids.slice(0, 2))
    expect(first).toMatchObject({ done: false, prev_iterator: null })
    const middle = await list(`limit=2&iterator=${first.iterator}`)
    expect(idsOf(middle)).toEqual(ids.slice(2, 4))
    const last = await list(`limit=2&iterator=${middle.iterator}`)
    expect(idsOf(last)).toEqual(ids.slice(4))
    expect(last).toMatchObject({ done: true, iterator: null })
    const back = await list(`limit=2&iterator=${last.prev_iterator}`)
    expect(idsOf(back)).toEqual(ids.slice(2, 4))
    const start = await list(`limit=2&iterator=${back.prev_iterator}`)
    expect(idsOf(start)).toEqual(ids.slice(0, 2))
    expect(start.prev_iterator).toBeNull()
    expect(idsOf(await list(`limit=2&iterator=${start.iterator}`))).toEqual(ids.slice(2, 4))
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'iterator=nonsense']) {
      expect((await refused(send(`GET /webhooks?${query}`))).code).toBe('INVALID_QUERY_PARAMS')
    }
  })

  it('are walked to the end by the public client', async () => {
    for (let count = 0; count < 12; count += 1) await created({ url })
    const client = new DodoPayments({
      bearerToken: 'none',
      baseURL: 'http://test',
      fetch: async (input, init) => {
        const target = new URL(String(input))
        const reply = await send(
          `${init?.method?.toUpperCase()} ${target.pathname}${target.search}`,
        )
        return Response.json(reply.body, { status: reply.status })
      },
    })
    const seen: string[] = []
    for await (const one of client.webhooks.list({ limit: 5 })) seen.push(one.id)
    expect(new Set(seen).size).toBe(12)
    expect(seen).toHaveLength(12)
  })
})
