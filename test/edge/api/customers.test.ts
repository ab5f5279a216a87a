import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instantOf } from '../../../src/std/instant.ts'
import type { ScratchCatalog } from '../../support/store/catalog-routes.ts'
import { catalogOnScratch } from '../../support/store/catalog-routes.ts'

let catalog: ScratchCatalog
beforeAll(async () => {
  catalog = await catalogOnScratch()
})
afterAll(() => catalog.drop())

const ada = { email: 'ada@example.com', name: 'Ada Lovelace' }

describe('customers', () => {
  it('are created, read and answered whole', async () => {
    const { id, call } = await catalog.business()
    const created = await call('POST /customers', { ...ada, unknown: 1 })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      business_id: id,
      customer_id: expect.stringMatching(/^cus_[\w-]{21}$/),
      ...ada,
      phone_number: null,
      metadata: {},
      created_at: '2027-01-15T08:00:00.000000Z',
    })
    expect(await call(`GET /customers/${created.body.customer_id}`)).toEqual(created)
  })

  it('belong to one business and mode', async () => {
    const [{ call }, other] = [await catalog.business(), await catalog.business()]
    const { customer_id: id } = (await call('POST /customers', ada)).body
    for (const stranger of [other.call, call.as({ mode: 'live' })]) {
      expect((await stranger(`GET /customers/${id}`)).status).toBe(404)
      expect((await stranger(`PATCH /customers/${id}`, { name: 'Eve' })).status).toBe(404)
      expect((await stranger('GET /customers')).body).toEqual({ items: [] })
    }
  })

  it('may share an e-mail', async () => {
    const { call } = await catalog.business()
    const ids = [await call('POST /customers', ada), await call('POST /customers', ada)]
    expect(new Set(ids.map(({ body }) => body.customer_id)).size).toBe(2)
  })

  it('change field by field; null clears what may be empty [requests#nulls]', async () => {
    const { call } = await catalog.business()
    const before = { ...ada, phone_number: '+44 1', metadata: { plan: 'a', n: 1.5, ok: true } }
    const { customer_id: id } = (await call('POST /customers', before)).body
    const patch = (body: object) => call(`PATCH /customers/${id}`, body)

    expect((await patch({})).body).toMatchObject(before)
    expect((await patch({ name: 'Ada L.' })).body).toMatchObject({ ...before, name: 'Ada L.' })
    const nulls = { email: null, name: null, metadata: null, phone_number: null }
    const after = { ...before, name: 'Ada L.', phone_number: null, metadata: {} }
    expect((await patch(nulls)).body).toMatchObject(after)
    expect((await patch(nulls)).body['metadata']).toEqual({})
    expect((await patch({ metadata: { n: 1 } })).body).toMatchObject({ metadata: { n: 1 } })
    expect((await patch({ metadata: {} })).body['metadata']).toEqual({})
    expect((await call(`GET /customers/${id}`)).body).toMatchObject({ ...after, metadata: {} })
  })

  it('have no payment methods, as long as nothing can be paid with', async () => {
    const { call } = await catalog.business()
    const { customer_id: id } = (await call('POST /customers', ada)).body
    const path = `GET /customers/${id}/payment-methods` as const
    expect(await call(path)).toEqual({ status: 200, body: { items: [] } })
    expect((await call.as({ mode: 'live' })(path)).status).toBe(404)
    expect((await call('GET /customers/cus_none/payment-methods')).status).toBe(404)
  })

  it('keep metadata with hostile keys as data', async () => {
    const { call } = await catalog.business()
    const metadata = JSON.parse('{"__proto__": "x", "constructor": 1, "toString": false}')
    const { body } = await call('POST /customers', { ...ada, metadata })
    const read = await call(`GET /customers/${body.customer_id}`)
    expect(JSON.stringify(read.body['metadata'])).toContain('"__proto__":"x"')
    expect(Object.keys(Object(read.body['metadata']))).toHaveLength(3)
  })

  it('are listed newest first, page by page, by every filter', async () => {
    const { call } = await catalog.business()
    const at = (n: number) => instantOf(1_800_000_000_000_000 + n)
    for (const [n, name] of ['Ada', 'Émile', 'GRACE_100%', 'Ada Two'].entries()) {
      await call.as({ at: at(n) })('POST /customers', { email: `c${n % 2}@x.org`, name })
    }
    const names = async (query: string) => {
      const { body } = await call(`GET /customers?${query}`)
      return body.items.map((item) => item['name'])
    }
    expect(await names('')).toEqual(['Ada Two', 'GRACE_100%', 'Émile', 'Ada'])
    expect(await names('page_size=3&page_number=1')).toEqual(['Ada'])
    expect(await names('page_size=3&page_number=2')).toEqual([])
    expect(await names('email=c1@x.org')).toEqual(['Ada Two', 'Émile'])
    expect(await names('email=C1%40X')).toEqual(['Ada Two', 'Émile'])
    expect(await names('email=x.org&name=ada')).toEqual(['Ada Two', 'Ada'])
    expect(await names('email=y.org')).toEqual([])
    expect(await names('email=%25')).toEqual([])
    expect(await names('name=aDA')).toEqual(['Ada Two', 'Ada'])
    expect(await names('name=éM')).toEqual(['Émile'])
    expect(await names('name=_100%25')).toEqual(['GRACE_100%'])
    expect(await names('name=%25')).toEqual(['GRACE_100%'])
    expect(await names('created_at_gte=2027-01-15T08:00:00.000002Z')).toEqual([
      'Ada Two',
      'GRACE_100%',
    ])
    expect(await names('created_at_lte=2027-01-15T09:00:00.000001%2B01:00&name=a')).toEqual(['Ada'])
  })

  it('made in the same microsecond keep one order over all pages', async () => {
    const { call } = await catalog.business()
    for (let n = 0; n < 6; n += 1) await call('POST /customers', ada)
    const whole = (await call('GET /customers')).body.items
    const halves = [
      ...(await call('GET /customers?page_size=3')).body.items,
      ...(await call('GET /customers?page_size=3&page_number=1')).body.items,
    ]
    expect(halves).toEqual(whole)
    const ids = whole.map((item) => item.customer_id)
    expect(new Set(ids).size).toBe(6)
  })

  it('refuse what is wrong, with the field in the message', async () => {
    const { call } = await catalog.business()
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n]))
    const cases: [object, number, string, string][] = [
      [{ name: 'A' }, 422, 'INVALID_REQUEST_BODY', 'email is required'],
      [{ email: 'ada@example.com' }, 422, 'INVALID_REQUEST_BODY', 'name is required'],
      [{ ...ada, email: 'not-an-email' }, 422, 'INVALID_REQUEST_BODY', 'email must be an e-mail'],
      [{ ...ada, email: 'a b@x.org' }, 422, 'INVALID_REQUEST_BODY', 'email'],
      [{ ...ada, email: 'a@b@x.org' }, 422, 'INVALID_REQUEST_BODY', 'email'],
      [{ ...ada, email: `${'a'.repeat(320)}@x.org` }, 422, 'INVALID_REQUEST_BODY', 'longer'],
      [{ ...ada, name: '' }, 422, 'INVALID_REQUEST_BODY', 'name must not be empty'],
      [{ ...ada, name: 7 }, 422, 'INVALID_REQUEST_BODY', 'name must be a string'],
      [{ ...ada, name: 'a\0b' }, 422, 'INVALID_REQUEST_BODY', 'name must be text without U+0000'],
      [{ ...ada, name: 'a\ud800b' }, 422, 'INVALID_REQUEST_BODY', 'name must be text without'],
      [{ ...ada, metadata: { 'a b': 1 } }, 422, 'INVALID_REQUEST_BODY', 'Every key of metadata'],
      [{ ...ada, metadata: { ['k'.repeat(41)]: 1 } }, 422, 'INVALID_REQUEST_BODY', '40 letters'],
      [{ ...ada, metadata: { a: 'x'.repeat(501) } }, 422, 'INVALID_REQUEST_BODY', 'metadata.a'],
      [{ ...ada, metadata: { a: 'x\0' } }, 422, 'INVALID_REQUEST_BODY', 'metadata.a'],
      [{ ...ada, metadata: { a: [] } }, 422, 'INVALID_REQUEST_BODY', 'metadata.a must be'],
      [{ ...ada, metadata: many }, 422, 'MAXIMUM_KEYS_REACHED', '50 keys'],
      [{ ...ada, metadata: { a: 2 ** 53 } }, 400, 'INVALID_REQUEST_PARAMETERS', 'as a string'],
    ]
    for (const [body, status, code, message] of cases) {
      const answer = await call('POST /customers', body)
      expect(answer).toMatchObject({ status, body: { code } })
      expect(answer.body.message).toContain(message)
    }
    expect((await call('GET /customers')).body.items).toEqual([])
    expect((await call('GET /customers/cus_none')).body.code).toBe('NOT_FOUND')
    expect((await call('GET /customers/%00')).body.code).toBe('NOT_FOUND')
    expect((await call('GET /customers?name=%00')).status).toBe(422)
    expect((await call('GET /customers?created_at_gte=yesterday')).status).toBe(422)
    expect((await call('GET /customers?page_size=101')).status).toBe(422)
  })
})

describe('existing customers', () => {
  it('are those that are there, whatever is asked', async () => {
    const { id, call } = await catalog.business()
    const known = (await call('POST /customers', ada)).body.customer_id
    const asked = [known, 'cus_none', 'a\0b', '\ud800', '{"}\\', '', known]
    expect(await catalog.customers.existing(id, 'test', asked)).toEqual(new Set([known]))
    expect(await catalog.customers.existing(id, 'live', asked)).toEqual(new Set())
    expect(await catalog.customers.existing(id, 'test', [])).toEqual(new Set())
  })
})
