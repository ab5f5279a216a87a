import DodoPayments from 'dodopayments'
import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh } from '../plan.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const url = 'https://hooks.example.com/in'

describe('webhook endpoints', () => {
  it('are made, read, changed and removed', async () => {
    const { webhooks } = at.client()
    const made = await webhooks.create({ url, disabled: true })
    const whole = {
      id: expect.any(String),
      url,
      description: '',
      metadata: {},
      disabled: true,
      filter_types: [],
      rate_limit: null,
      created_at: time,
      updated_at: time,
    }
    expect(made).toEqual(whole)
    const changed = await webhooks.update(made.id, {
      description: 'd',
      metadata: { team: 'x' },
      rate_limit: 5,
      filter_types: ['credit.added', 'credit.balance_low'],
    })
    expect(changed).toEqual({
      ...made,
      description: 'd',
      metadata: { team: 'x' },
      rate_limit: 5,
      updated_at: time,
      filter_types: ['credit.added', 'credit.balance_low'],
    })
    const cleared = { description: null, metadata: null, rate_limit: null, filter_types: null }
    expect(await webhooks.update(made.id, cleared)).toEqual({ ...made, updated_at: time })
    expect((await webhooks.retrieveSecret(made.id)).secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/)

    await webhooks.headers.update(made.id, { headers: { 'X-One': '1', Authorization: 'Basic x' } })
    await webhooks.headers.update(made.id, { headers: { 'X-Two': '2' } })
    expect(await webhooks.headers.retrieve(made.id)).toEqual({
      headers: { 'X-One': '1', 'X-Two': '2' },
      sensitive: ['Authorization'],
    })

    await webhooks.delete(made.id)
    for (const target of ['', '/secret', '/headers']) {
      expect((await at.call(`GET /webhooks/${made.id}${target}`)).status).toBe(404)
    }
    await expect(webhooks.delete(made.id)).rejects.toThrow(DodoPayments.NotFoundError)
    await expect(webhooks.update(made.id, {})).rejects.toThrow(DodoPayments.NotFoundError)
  })

  it('are listed by a cursor, and each once', async () => {
    const { webhooks } = at.client()
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) {
      made.push((await webhooks.create({ url, disabled: true, description: fresh('e') })).id)
    }
    const walked: string[] = []
    for await (const each of webhooks.list({ limit: 2 })) walked.push(each.id)
    expect(new Set(walked).size).toBe(walked.length)
    expect(walked).toEqual(expect.arrayContaining(made))
    const first = await at.call('GET /webhooks?limit=2')
    expect(Object.keys(first.body).sort()).toEqual(['data', 'done', 'iterator', 'prev_iterator'])
    const last = await at.call('GET /webhooks?limit=100')
    expect(last.body).toMatchObject({ done: true, iterator: null })
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'iterator=nonsense']) {
      const answer = await at.call(`GET /webhooks?${query}`)
      expect([answer.status, answer.body.code], query).toEqual([422, 'INVALID_QUERY_PARAMS'])
    }
    for (const id of made) await webhooks.delete(id)
  })

  it.each<[object, number]>([
    [{}, 422],
    [{ url: 'hooks.example.com' }, 422],
    [{ url: 'ftp://example.com' }, 422],
    [{ url: 'http://10.0.0.1/' }, 422],
    [{ url: 'http://169.254.169.254/latest' }, 422],
    [{ url: 'http://[::ffff:10.0.0.1]/' }, 422],
    [{ url: 'http://0x0a000001/' }, 422],
    [{ url: 'https://me:secret@example.com/' }, 422],
    [{ url, filter_types: ['credit.gone'] }, 422],
    [{ url, headers: { 'webhook-id': 'x' } }, 422],
    [{ url, headers: { 'X-A': 'a\r\nX-B: b' } }, 422],
    [{ url, rate_limit: -1 }, 422],
    [{ url, metadata: { a: 1 } }, 422],
  ])('are refused with %j', async (body, status) => {
    const answer = await at.call('POST /webhooks', { body })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.body.message).toMatch(/\.$/)
  })

  it('of live mode lead to public addresses only', async () => {
    const options = { live: true, key: at.keys.live }
    const loopback = { url: 'http://127.0.0.1:9/', disabled: true }
    expect((await at.call('POST /webhooks', { body: loopback, ...options })).status).toBe(422)
    const made = await at.call('POST /webhooks', { body: loopback })
    expect(made.status).toBe(200)
    expect((await at.call(`DELETE /webhooks/${made.body.id}`)).status).toBe(204)
  })

  it('are made once for each idempotency key', async () => {
    const body = { url, disabled: true, idempotency_key: fresh('endpoint') }
    const [first, again] = [
      await at.call('POST /webhooks', { body }),
      await at.call('POST /webhooks', { body }),
    ]
    expect([first.status, again.status, again.body.id]).toEqual([200, 200, first.body.id])
    await at.client().webhooks.delete(first.body.id)
  })
})
