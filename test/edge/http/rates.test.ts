import { afterEach, describe, expect, it } from 'vitest'
import type { RateCounters } from '../../../src/edge/http/rates.ts'
import type { HttpServerNeeds } from '../../../src/edge/http/server.ts'
import { memoryCounters } from '../../../src/parts/counters/memory/counters.ts'
import type { TestServer } from '../../support/edge/test-server.ts'
import { bearer, keys, memoryKeys, testServer } from '../../support/edge/test-server.ts'
import { engines, routes } from './setup.ts'

describe.each(engines)('rate limits on $kind', (engine) => {
  let at: TestServer
  let now = 0
  const directory = memoryKeys()
  directory.set('sk_zero', { businessId: 'bus_0', rateTier: '0' })
  directory.set('sk_zero_reads', { businessId: 'bus_0', rateTier: '0', access: 'read' })
  directory.set('sk_zero_live', { businessId: 'bus_0', rateTier: '0', mode: 'live' })
  directory.set('sk_two', { businessId: 'bus_2', rateTier: '2/3' })
  directory.set('sk_odd', { businessId: 'bus_odd', rateTier: 'nonsense' })

  const open = async (changes: Partial<HttpServerNeeds> = {}) => {
    const counters = memoryCounters({ nowMs: () => now })
    at = await testServer(engine, routes, { keys: directory, counters, ...changes })
  }
  afterEach(() => at.server.stop(0))

  const ask = async (path: string, init: RequestInit & { key?: string } = {}, url = at.url) => {
    const { key, headers, ...rest } = init
    const own = key === undefined ? {} : bearer(key)
    const answer = await fetch(url + path, { ...rest, headers: { ...own, ...headers } })
    const text = await answer.text()
    return { status: answer.status, shown: shownOf(answer), answer, text }
  }

  it('lets 40 of a business pass in a second and 240 in a minute, exactly', async () => {
    await open({
      listeners: [
        { port: 0, mode: 'test' },
        { port: 0, mode: 'live' },
      ],
    })
    const live = `http://127.0.0.1:${at.server.ports[1]}`
    let passed = 0
    for (let second = 0; second < 7; second += 1) {
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => ask('/things', { key: 'sk_zero' })),
        ...Array.from({ length: 20 }, () => ask('/things', { key: 'sk_zero_reads' })),
        ...Array.from({ length: 20 }, () => ask('/things', { key: 'sk_zero_live' }, live)),
      ])
      const good = answers.filter(({ status }) => status === 200).length
      expect(good).toBe(second < 6 ? 40 : 0)
      expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true)
      passed += good
      now += 1_000
    }
    expect(passed).toBe(240)
    now += 53_000
    expect((await ask('/things', { key: 'sk_zero' })).status).toBe(200)
  })

  it('shows the window that is nearer to its limit', async () => {
    await open()
    expect((await ask('/things', { key: 'sk_two' })).shown).toEqual(['2', '1', '1'])
    expect((await ask('/things', { key: 'sk_two' })).shown).toEqual(['2', '0', '1'])
    now += 1_000
    // One request is left of the minute, and two of the second.
    expect((await ask('/things', { key: 'sk_two' })).shown).toEqual(['3', '0', '59'])
  })

  it('says when to come again, by the longest exhausted window', async () => {
    await open()
    for (let time = 0; time < 2; time += 1) await ask('/things', { key: 'sk_two' })
    const soon = await ask('/things', { key: 'sk_two' })
    expect([soon.status, soon.answer.headers.get('retry-after')]).toEqual([429, '1'])
    now += 1_000
    await ask('/things', { key: 'sk_two' })
    const later = await ask('/things', { key: 'sk_two' })
    expect(later.answer.headers.get('retry-after')).toBe('59')
    expect(later.answer.headers.get('x-should-retry')).toBeNull()
    expect(JSON.parse(later.text)).toEqual({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringContaining('try again in 59 s'),
    })
    expect(at.told.limited).toEqual(['business', 'business'])
    expect(at.told.requests.at(-1)?.status).toBe(429)
  })

  it('refuses by 20 and 100 who comes without a valid key, after 401', async () => {
    await open()
    const rush = async () => {
      const paths = ['/things', '/nowhere', '/things']
      const all = Array.from({ length: 30 }, (_, index) =>
        ask(paths[index % 3] ?? '', index % 2 === 0 ? {} : { key: `sk_unknown_${index}` }),
      )
      return (await Promise.all(all)).filter(({ status }) => status === 401 || status === 404)
    }
    const passed: number[] = []
    for (let second = 0; second < 6; second += 1) {
      passed.push((await rush()).length)
      now += 1_000
    }
    expect(passed).toEqual([20, 20, 20, 20, 20, 0])
    const [refused, good] = [await ask('/things'), await ask('/things', { key: keys.write })]
    expect(refused.answer.headers.get('retry-after')).toBe('54')
    expect(refused.shown).toEqual(['100', '0', '54'])
    expect(good.status).toBe(200)
    expect(new Set(at.told.limited)).toEqual(new Set(['address']))
  })

  it('counts pages apart, ten times as wide [requests#limits]', async () => {
    await open()
    const rush = (path: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => ask(path)))
    const passed = (answers: readonly { readonly status: number }[]) =>
      answers.filter(({ status }) => status === 200).length
    expect(passed(await rush('/open', 30))).toBe(20)
    expect((await ask('/pages/one')).shown).toEqual(['200', '199', '1'])
    expect(passed(await rush('/pages/one', 205))).toBe(199)
    now += 1_000
    expect(passed(await rush('/pages/one', 1))).toBe(1)
    expect(passed(await rush('/open', 30))).toBe(20)
    // A browser asks with each for what another origin's page wants to send.
    now += 1_000
    expect((await ask('/things', { method: 'OPTIONS' })).shown).toEqual(['200', '199', '1'])
    expect(new Set(at.told.limited)).toEqual(new Set(['address', 'page']))
  })

  it('goes by the address that a trusted proxy names, and by no other', async () => {
    await open({ trustedProxies: ['127.0.0.1'] })
    const from = (address: string) => ask('/things', { headers: { 'X-Forwarded-For': address } })
    for (let time = 0; time < 20; time += 1) await from('203.0.113.7')
    expect((await from('203.0.113.7')).status).toBe(429)
    expect((await from('198.51.100.9, 203.0.113.7')).status).toBe(429)
    expect((await from('203.0.113.8')).status).toBe(401)
    expect((await ask('/things')).status).toBe(401)
  })

  it('takes no word of a client for its address', async () => {
    await open()
    for (let time = 0; time < 20; time += 1)
      await ask('/things', { headers: { 'X-Forwarded-For': `203.0.113.${time}` } })
    const refused = await ask('/things', { headers: { 'X-Forwarded-For': '203.0.113.99' } })
    expect(refused.status).toBe(429)
  })

  it('is told before what a key may do, what a body is, and what is there', async () => {
    await open()
    for (let time = 0; time < 40; time += 1) await ask('/things', { key: 'sk_zero_reads' })
    const [key, method, body] = ['sk_zero_reads', 'POST', 'x'.repeat(100)]
    expect((await ask('/things', { key, method, body })).status).toBe(429)
    expect((await ask('/nowhere', { key })).status).toBe(429)
    expect((await ask('/conflict', { key })).status).toBe(429)
  })

  it('is on every answer', async () => {
    await open({ bodyBytesMax: 1_000 })
    const [key, method] = [keys.write, 'POST']
    const answers = await Promise.all([
      ask('/things', { key }),
      ask('/things/1', { key, method: 'DELETE' }),
      ask('/things', { key, method: 'HEAD' }),
      ask('/open'),
      ask('/nowhere'),
      ask('/nowhere', { key }),
      ask('/things', { key, method: 'PATCH' }),
      ask('/things/%ff', { key }),
      ask('/broken', { key }),
      ask('/conflict', { key }),
      ask('/unwritable', { key }),
      ask('/things', { key: keys.read, method, body: '{}' }),
      ask('/things', { key, method, body: 'x'.repeat(2_000) }),
      ask('/things', { key, method, body: '{', headers: { 'Content-Type': 'application/json' } }),
      ask('/things', { headers: { Authorization: 'Basic abc' } }),
    ])
    for (const { answer, shown } of answers) {
      expect(
        shown.every((value) => /^\d+$/.test(value ?? '')),
        answer.url,
      ).toBe(true)
    }
    expect(answers[0]?.shown).toEqual([most, most, '1'])
    directory.away(true)
    const away = await ask('/things', { key: 'sk_never_seen' })
    directory.away(false)
    expect([away.status, ...away.shown]).toEqual([503, '20', expect.any(String), '1'])
  })

  it('holds a business whose tier nobody can read to the lowest', async () => {
    await open()
    expect((await ask('/things', { key: 'sk_odd' })).shown).toEqual(['40', '39', '1'])
  })

  it('waits for counts that are elsewhere', async () => {
    const real = memoryCounters({ nowMs: () => now })
    const counters: RateCounters = {
      seen: real.seen,
      giveBack: real.giveBack,
      take: async (subject, tier) => real.take(subject, tier),
    }
    await open({ counters })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask('/things', { key: 'sk_zero' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    const strangers = await Promise.all(Array.from({ length: 25 }, () => ask('/open')))
    expect(strangers.filter(({ status }) => status === 200)).toHaveLength(20)
  })
})

const most = String(Number.MAX_SAFE_INTEGER)

const shownOf = ({ headers }: Response): readonly (string | null)[] =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
