import { describe, expect, it } from 'vitest'
import { password } from '../../support/console/people.ts'
import { wordOf } from '../../support/console/person.ts'
import { operate } from '../../support/process/operator.ts'
import { at } from './here.ts'

describe('a link of users create', () => {
  it('is printed by the first start, works once, and says whose it is', async () => {
    const setupUrl = String(at.server().ready['setup_url'])
    expect(setupUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/setup#[\w-]{43}$/)
    const one = at.nobody()
    const look = await one.call('POST /setup/look', { body: { word: wordOf(setupUrl) } })
    expect([look.status, look.body]).toEqual([200, { email: 'owner@localhost', name: null }])
    const both = await Promise.all([
      at.nobody().setUp(setupUrl, password),
      one.setUp(setupUrl, password),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 410])
    for (const target of ['POST /setup/look', 'POST /setup']) {
      const body = { word: wordOf(setupUrl), password }
      expect((await one.call(target, { body })).status).toBe(410)
    }
  })

  it('takes no weak password, and stays good', async () => {
    const { email, setupUrl } = await at.invited()
    const one = at.nobody()
    for (const weak of ['short', 'aaaaaaaaaaaaaaaaaa', `${email} ${email}`, 'x'.repeat(300)]) {
      expect([weak, (await one.setUp(setupUrl, weak)).status]).toEqual([weak, 422])
    }
    expect((await one.setUp(setupUrl, password)).status).toBe(204)
  })

  it('that is nobody’s is refused, and so is one of somebody who was removed', async () => {
    const { userId, setupUrl } = await at.invited()
    await operate(at.settings, ['users', 'remove', userId])
    const words = [wordOf(setupUrl), 'a'.repeat(43), '', 'x', `${wordOf(setupUrl)}\u0000`]
    for (const word of words) {
      const answer = await at.nobody().call('POST /setup', { body: { word, password } })
      expect([word, [410, 422].includes(answer.status)]).toEqual([word, true])
    }
  })
})

describe('logging in', () => {
  it('leads to the own business alone, with a cookie that no script and no other site gets', async () => {
    const one = await at.person()
    const again = at.nobody()
    const answer = await again.logIn(one.email.toUpperCase(), password)
    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^sluice_console=[\w-]{43}; Path=\/console; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
      ),
    ])
    const me = await again.call('GET /me')
    expect(me.body).toMatchObject({ email: one.email, role: 'owner', business_id: at.here() })
    expect(me.headers['cache-control']).toBe('no-store')
  })

  it('gives a cookie for TLS alone where the request came by TLS', async () => {
    const one = await at.person()
    const headers = { 'X-Forwarded-Proto': 'https' }
    const answer = await one.call('POST /log-in', { body: { email: one.email, password }, headers })
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^__Host-sluice_console=[\w-]{43}; Path=\/; Secure; .*SameSite=Strict$/)
    expect((await one.call('GET /me', { headers })).status).toBe(200)
    // One that somebody in between has planted counts for nothing.
    const planted = cookie.split(';')[0]?.replace('__Host-', '') ?? ''
    expect((await one.call('GET /me', { headers, cookie: planted })).status).toBe(401)
  })

  it('never takes over a cookie that the browser brought', async () => {
    const one = await at.person()
    const fixed = `sluice_console=${'f'.repeat(43)}`
    const victim = at.nobody()
    victim.cookie = fixed
    expect((await victim.logIn(one.email, password)).status).toBe(204)
    expect(victim.cookie).not.toBe(fixed)
    expect((await victim.call('GET /me', { cookie: fixed })).status).toBe(401)
    // The session that the browser had before is over.
    const before = victim.cookie
    await victim.logIn(one.email, password)
    expect((await victim.call('GET /me', { cookie: before })).status).toBe(401)
    expect((await victim.call('GET /me')).status).toBe(200)
  })

  it('says the same of a wrong password and of somebody unknown', async () => {
    const one = await at.person()
    const tries = async (email: string) => {
      const { status, text } = await at.nobody().logIn(email, 'a wrong password')
      return { status, text }
    }
    const [known, unknown] = [await tries(one.email), await tries('nobody@example.com')]
    expect([known.status, known.text]).toEqual([401, unknown.text])
    expect(unknown.status).toBe(401)
  })

  it('is bounded, and locks out neither another browser of the user nor anybody else', async () => {
    const [one, other] = [await at.person(), await at.person()]
    const guess = () => at.nobody().logIn(one.email, 'a wrong password')
    const guesses = await Promise.all(Array.from({ length: 12 }, guess))
    const seen = guesses.map(({ status }) => status)
    expect(seen.filter((status) => status === 401)).toHaveLength(5)
    expect(seen.filter((status) => status === 429)).toHaveLength(7)
    const refused = await at.nobody().logIn(one.email, password)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900)
    expect((await one.logIn(one.email, password)).status).toBe(204)
    expect((await at.nobody().logIn(other.email, password)).status).toBe(204)
  })
})

describe('somebody at whom others keep guessing', () => {
  it('is let in by the operator, whose new link counts as no try', async () => {
    const one = await at.person()
    const words = ['--business', at.here(), '--email', one.email]
    for (let turn = 0; turn < 6; turn += 1) await at.nobody().logIn(one.email, 'a wrong password')
    expect((await at.nobody().logIn(one.email, password)).status).toBe(429)
    await operate(at.settings, ['users', 'remove', one.userId])
    const again = await operate(at.settings, ['users', 'create', ...words])
    const elsewhere = at.nobody()
    expect((await elsewhere.setUp(String(again['setup_url']), password)).status).toBe(204)
    expect((await elsewhere.call('GET /me')).body).toMatchObject({ email: one.email })
  })
})

describe('a session', () => {
  it('ends when it is ended, and when its user is removed, at once', async () => {
    const one = await at.person()
    const second = Object.assign(at.nobody(), { email: one.email })
    await second.logIn(one.email, password)
    const sessions = await one.call('GET /sessions')
    const items = sessions.body['items'] as readonly Record<string, unknown>[]
    expect(items.map((each) => each['this_one'])).toEqual([false, true])
    expect((await one.call(`DELETE /sessions/${items[0]?.['session_id']}`)).status).toBe(204)
    expect((await second.call('GET /me')).status).toBe(401)
    expect((await one.call('GET /test/customers')).status).toBe(200)
    await operate(at.settings, ['users', 'remove', one.userId])
    for (const target of ['GET /me', 'GET /test/customers', 'GET /live/customers']) {
      expect([target, (await one.call(target)).status]).toEqual([target, 401])
    }
    expect((await at.nobody().logIn(one.email, password)).status).toBe(401)
  })

  it('is over after logging out, and the others after another password', async () => {
    const one = await at.person()
    const second = at.nobody()
    await second.logIn(one.email, password)
    const next = `${password} and more`
    const wrong = await one.call('POST /password', { body: { current: 'not it at all', next } })
    expect(wrong.status).toBe(422)
    const changed = await one.call('POST /password', { body: { current: password, next } })
    expect(changed.status).toBe(204)
    expect((await second.call('GET /me')).status).toBe(401)
    const kept = one.cookie
    expect((await one.call('POST /log-out')).status).toBe(204)
    expect((await one.call('GET /me', { cookie: kept })).status).toBe(401)
    expect((await one.logIn(one.email, password)).status).toBe(401)
    expect((await one.logIn(one.email, next)).status).toBe(204)
  })

  it('of another user cannot be ended, nor seen', async () => {
    const [one, other] = [await at.person(), await at.person(at.elsewhere())]
    const mine = (await one.call('GET /me')).body['session_id']
    expect((await other.call(`DELETE /sessions/${mine}`)).status).toBe(404)
    const seen = (await other.call('GET /sessions')).text
    expect(seen).not.toContain(String(mine))
    expect((await one.call('GET /me')).status).toBe(200)
  })
})
