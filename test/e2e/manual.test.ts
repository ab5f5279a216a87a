import { describe, expect, it } from 'vitest'
import { at } from './here.ts'

const get = (place: string, headers: Readonly<Record<string, string>> = {}) =>
  at.call(`GET /docs${place}`, { key: null, headers })

describe('the manual of a server', () => {
  it('is read without a key, on the hosts of both modes', async () => {
    for (const live of [false, true]) {
      const page = await at.call('GET /docs', { key: null, live })
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('<h1>The manual')])
    }
    const page = await get('/subscriptions')
    expect(page.text).toContain('<h2 id="endings">')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect((await get('/api/customers')).text).toContain('id="createCustomer"')
    expect((await get('/search.json')).headers.get('content-type')).toMatch(/^application\/json/)
    expect((await get('/manual.mjs')).headers.get('content-type')).toMatch(/^text\/javascript/)
  })

  it('goes out packed, by HEAD without its body, and not again to who has it', async () => {
    const whole = await get('/credits', { 'Accept-Encoding': 'identity' })
    const packed = await get('/credits', { 'Accept-Encoding': 'gzip' })
    expect([packed.headers.get('content-encoding'), packed.text]).toEqual(['gzip', whole.text])
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    const etag = packed.headers.get('etag') ?? ''
    const again = await get('/credits', { 'If-None-Match': etag })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await at.call('HEAD /docs/credits', { key: null })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  it('is where errors lead to', async () => {
    for (const target of ['GET /nowhere', 'GET /docs/nowhere', 'POST /docs'] as const) {
      const { body, status } = await at.call(target, { key: null })
      expect([target, status >= 400 && status < 500]).toEqual([target, true])
      const [place, anchor] = String(body['doc_url']).split('#')
      const page = await at.call(`GET ${place as `/${string}`}`, { key: null })
      expect(page.text).toContain(` id="${anchor}"`)
    }
  })
})
