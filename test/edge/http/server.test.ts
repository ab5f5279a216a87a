import { describe, expect, it } from 'vitest'
import { requestText } from '../../support/edge/talk.ts'
import { bearer, keys } from '../../support/edge/test-server.ts'
import { bodyBytesMax, engines, json, native, suite, write } from './setup.ts'

it('finds a native engine on this platform', () => {
  expect(['uws_official', 'uws_prebuilt', 'node_http']).toContain(native.kind)
})

describe.each(engines)('routes on $kind', (engine) => {
  const on = suite(engine)

  it('answers JSON with the request id, echoing a sane one', async () => {
    const answer = await fetch(`${on.at.url}/things?q=a%20b&q=c+d`, {
      headers: { ...write, 'X-Request-Id': 'abc.DEF_1-2', 'X-Many': 'one' },
    })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('x-request-id')).toBe('abc.DEF_1-2')
    expect(await answer.json()).toEqual({ q: 'c d', header: 'one' })
    const odd = await fetch(`${on.at.url}/open`, { headers: { 'X-Request-Id': 'a b' } })
    expect(odd.headers.get('x-request-id')).toMatch(/^req_[\w-]{21}$/)
  })

  it('decodes path parameters and prefers literal segments', async () => {
    const id = await fetch(`${on.at.url}/things/a%2Fb%20%C3%A4`, { headers: write })
    expect(await id.json()).toEqual({ id: 'a/b ä' })
    const literal = await fetch(`${on.at.url}/things/new`, { headers: write })
    expect(await literal.json()).toEqual({ literal: true })
  })

  it.each([
    ['GET', '/nowhere', 404, 'NOT_FOUND'],
    ['GET', '/things/a/b', 404, 'NOT_FOUND'],
    ['GET', '/things/', 404, 'NOT_FOUND'],
    ['GET', '/things/%zz', 400, 'INVALID_REQUEST_PARAMETERS'],
    ['GET', '/things/%ff', 400, 'INVALID_REQUEST_PARAMETERS'],
    ['GET', '/things/%00', 404, 'NOT_FOUND'],
    ['GET', '/things?q=%00', 422, 'INVALID_QUERY_PARAMS'],
    ['GET', '/conflict', 409, 'CONFLICT'],
  ])('refuses %s %s with %i %s', async (method, path, status, code) => {
    const answer = await fetch(on.at.url + path, { method, headers: write })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(await answer.json()).toMatchObject({ code, message: expect.any(String) })
  })

  it('names the methods that a path takes', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const answer = await fetch(`${on.at.url}/things`, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
      expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    }
  })

  it('answers HEAD as GET without a body, as the last of its connection', async () => {
    const one = on.raw()
    one.send(requestText('HEAD', '/things/x', { headers: write }))
    const head = await one.answer({ headOnly: true })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String('{"id":"x"}'.length))
    expect(head.headers.get('connection')).toBe('close')
    const two = on.raw()
    two.send(requestText('HEAD', '/nowhere'))
    expect((await two.answer({ headOnly: true })).status).toBe(404)
    expect((await fetch(`${on.at.url}/open`, { method: 'HEAD' })).status).toBe(200)
  })

  it('answers 204 without a length, and keeps the connection', async () => {
    const one = on.raw()
    one.send(requestText('DELETE', '/things/x', { headers: write }))
    const empty = await one.answer()
    expect(empty.status).toBe(204)
    expect(empty.headers.has('content-length')).toBe(false)
    one.send(requestText('GET', '/open'))
    expect((await one.answer()).status).toBe(200)
  })

  it('sends pages as they are', async () => {
    const answer = await fetch(`${on.at.url}/page`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toBe('<h1>ä</h1>')
  })

  it('says nothing of what broke but the request id, and logs it', async () => {
    for (const path of ['/broken', '/unwritable']) {
      const answer = await fetch(on.at.url + path, {
        headers: { ...write, 'X-Request-Id': `id.${path.slice(1)}` },
      })
      expect(answer.status).toBe(500)
      const body = await answer.text()
      expect(body).toContain(`id.${path.slice(1)}`)
      expect(body).not.toContain('secret')
      expect(on.at.told.logged.at(-1)).toMatchObject({
        level: 'error',
        fields: { requestId: `id.${path.slice(1)}` },
      })
    }
  })

  it('counts answers by pattern, never by path', async () => {
    await fetch(`${on.at.url}/things/abc`, { headers: write })
    expect(on.at.told.requests.at(-1)).toEqual({
      route: '/things/:id',
      method: 'GET',
      status: 200,
    })
    await fetch(`${on.at.url}/nowhere/abc`)
    expect(on.at.told.requests.at(-1)).toMatchObject({ route: 'unknown', status: 404 })
  })
})

describe.each(engines)('keys on $kind', (engine) => {
  const on = suite(engine)

  it.each([
    ['none', {}],
    ['an unknown one', bearer('sk_test_nobody')],
    ['a revoked one', bearer(keys.revoked)],
    ['one of the other mode', bearer(keys.live)],
    ['another scheme', { Authorization: `Basic ${keys.write}` }],
    ['an overlong one', bearer('x'.repeat(300))],
  ])('refuses %s with 401', async (_, headers) => {
    const answer = await fetch(`${on.at.url}/things`, {
      headers: headers as Record<string, string>,
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('lets a read-only key read and refuses its writes with 403', async () => {
    const headers = bearer(keys.read)
    expect((await fetch(`${on.at.url}/things`, { headers })).status).toBe(200)
    const refused = await fetch(`${on.at.url}/things`, { method: 'POST', headers, body: '{}' })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('gives handlers the time of the business', async () => {
    const [now, ahead] = await Promise.all(
      [keys.write, keys.ahead].map(async (key) => {
        const answer = await fetch(`${on.at.url}/who`, { headers: bearer(key) })
        return (await answer.json()) as { at: number }
      }),
    )
    expect((ahead?.at ?? 0) - (now?.at ?? 0)).toBe(31 * 86_400_000_000)
  })

  it('judges the key, then access, then size, then media, then JSON', async () => {
    const big = 'x'.repeat(bodyBytesMax + 1)
    const odd = { 'Content-Type': 'text/plain' }
    const statuses = []
    for (const [headers, body] of [
      [{ ...odd }, big],
      [{ ...odd, ...bearer(keys.read) }, big],
      [{ ...odd, ...write }, big],
      [{ ...odd, ...write }, 'x'],
      [json, 'x'],
    ] as const) {
      const answer = await fetch(`${on.at.url}/things`, { method: 'POST', headers, body })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([401, 403, 413, 415, 400])
  })
})
