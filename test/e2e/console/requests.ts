import { describe, expect, it } from 'vitest'
import { password } from '../../support/console/people.ts'
import { operate, operated } from '../../support/process/operator.ts'
import { at } from './here.ts'

describe('a page of somebody else', () => {
  const foreign: readonly {
    readonly name: string
    readonly headers: Readonly<Record<string, string | null>>
  }[] = [
    { name: 'of another site', headers: { 'Sec-Fetch-Site': 'cross-site' } },
    { name: 'of another port of this machine', headers: { 'Sec-Fetch-Site': 'same-site' } },
    { name: 'that sends a form', headers: { 'Sluice-Console': null } },
    {
      name: 'in an old browser',
      headers: { 'Sec-Fetch-Site': null, Origin: 'http://evil.example' },
    },
    { name: 'in a frame', headers: { 'Sec-Fetch-Site': null, Origin: 'null' } },
  ]

  it.each(foreign)('changes nothing: $name', async ({ headers }) => {
    const one = await at.person()
    const body = { name: 'x', email: 'x@example.com' }
    for (const target of ['POST /test/customers', 'POST /log-out', 'DELETE /sessions/x']) {
      const sent = target.endsWith('customers') ? { body, headers } : { headers }
      expect([target, (await one.call(target, sent)).status]).toEqual([target, 403])
    }
    const logIn = { body: { email: one.email, password }, headers }
    expect((await at.nobody().call('POST /log-in', logIn)).status).toBe(403)
    expect((await one.call('GET /me')).status).toBe(200)
  })

  it('reads nothing, and shows the console in no frame', async () => {
    const one = await at.person()
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await one.call('GET /test/customers', { headers })).status).toBe(403)
    const page = await one.call('GET ~/console/test/customers', { headers })
    expect(page.status).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toContain('unsafe')
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)/)
  })
})

describe('the page of the console', () => {
  it('is found with a slash behind its address, too, and nothing of the API is', async () => {
    for (const path of ['/console', '/console/', '/console/test/', '/console/test/events/e/']) {
      const page = await at.nobody().call(`GET ~${path}`)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.headers['content-type']).toContain('text/html')
    }
    for (const path of ['/console/api', '/console/api/', '/console/api/test/', '/console/assets']) {
      const page = await at.nobody().call(`GET ~${path}`)
      expect([path, page.text.includes('<script')]).toEqual([path, path.endsWith('assets')])
    }
  })
})

describe('the API, for who is logged in', () => {
  it('has the business’s own things of the mode that the path names', async () => {
    const one = await at.person()
    const customer = { name: 'Ada', email: 'ada-of-console@example.com' }
    const made = await one.call('POST /live/customers', { body: customer })
    expect([made.status, made.body['business_id']]).toEqual([200, at.here()])
    const id = String(made.body['customer_id'])
    expect((await one.call(`GET /live/customers/${id}`)).status).toBe(200)
    expect((await one.call(`GET /test/customers/${id}`)).status).toBe(404)
    const other = await at.person(at.elsewhere())
    for (const target of [
      `GET /live/customers/${id}`,
      `PATCH /live/customers/${id}`,
      `GET /live/customers/${id}/wallets`,
    ]) {
      const sent = target.startsWith('PATCH') ? { body: { name: 'Eve' } } : {}
      expect([target, (await other.call(target, sent)).status]).toEqual([target, 404])
    }
    expect((await other.call('GET /live/customers')).body['items']).toEqual([])
  })

  it('lets a viewer change nothing', async () => {
    const viewer = await at.person(at.here(), 'viewer')
    expect((await viewer.call('GET /test/customers')).status).toBe(200)
    expect((await viewer.call('GET /test/keys')).status).toBe(200)
    for (const target of [
      'POST /test/customers',
      'POST /test/keys',
      'DELETE /test/keys/key_x',
      'POST /test/clock/advance',
      'POST /test/meters',
      'POST /live/webhooks',
    ]) {
      expect([target, (await viewer.call(target, { body: {} })).status]).toEqual([target, 403])
    }
    // A person has no key, and is told what to do.
    const refused = await viewer.call('POST /test/customers', { body: {} })
    expect(refused.body['message']).toBe('A viewer may only look: ask an owner to do this.')
  })

  it('is for nobody who is not logged in, nor with a key instead, nor for events', async () => {
    const nobody = at.nobody()
    const headers = { Authorization: `Bearer ${at.server().ready['api_key']}` }
    for (const target of ['GET /me', 'GET /test/customers', 'GET /sessions', 'GET /test/keys']) {
      expect([target, (await nobody.call(target, { headers })).status]).toEqual([target, 401])
    }
    const one = await at.person()
    expect((await one.call('POST /test/events/ingest', { body: {} })).status).toBe(405)
    // Nor does the cookie open the API itself.
    expect((await one.call('GET ~/customers')).status).toBe(401)
  })

  it('makes keys for a mode, shows them once, and revokes them', async () => {
    const [one, other] = [await at.person(), await at.person(at.elsewhere())]
    const body = { name: 'from the console', access: 'read' }
    const made = await one.call('POST /test/keys', { body })
    expect(made.status).toBe(201)
    const [id, key] = [String(made.body['key_id']), String(made.body['api_key'])]
    const use = () =>
      fetch(`${at.base()}/customers`, { headers: { Authorization: `Bearer ${key}` } })
    expect((await use()).status).toBe(200)
    const listed = await one.call('GET /test/keys')
    expect(listed.text).toContain(id)
    expect(listed.text).not.toContain(key)
    expect((await one.call('GET /live/keys')).text).not.toContain(id)
    expect((await other.call('GET /test/keys')).text).not.toContain(id)
    for (const target of [`DELETE /test/keys/${id}`, `DELETE /live/keys/${id}`]) {
      const by = target.includes('/live/') ? one : other
      expect([target, (await by.call(target)).status]).toEqual([target, 404])
    }
    expect((await use()).status).toBe(200)
    expect((await one.call(`DELETE /test/keys/${id}`)).status).toBe(204)
    await expect.poll(async () => (await use()).status).toBe(401)
  })
})

describe('the operator', () => {
  it('is told what is wrong with a user', async () => {
    const { email } = await at.invited()
    const create = (...words: string[]) => operated(at.settings, ['users', 'create', ...words])
    const same = await create('--business', at.elsewhere(), '--email', email.toUpperCase())
    expect([same.status, same.error]).toEqual([1, expect.stringContaining('is there already')])
    const none = await create('--business', 'bus_x', '--email', 'a@example.com')
    expect([none.status, none.error]).toEqual([1, expect.stringContaining('no business')])
    const role = await create('--business', at.here(), '--email', 'a@example.com', '--role', 'king')
    expect(role.status).toBe(2)
    const listed = await operate(at.settings, ['users', 'list'])
    expect(JSON.stringify(listed)).toContain(email)
    expect(JSON.stringify(listed)).not.toContain('argon2')
    expect((await operated(at.settings, ['users', 'remove', 'usr_x'])).status).toBe(1)
  })
})
