import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../support/process/operator.ts'
import type { Environment, Server } from '../support/process/server.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { readMetrics } from './asking.ts'
import { distributedMissing, openDistributed } from './distributed-parts.ts'
import type { Fleet } from './fleet.ts'
import { openFleet } from './fleet.ts'

const patient = { timeout: 30_000, interval: 100 }

describe('the limits of a server', () => {
  const scratch = scratchDirectory()
  const environment = { DATA_DIR: scratch.path, TRUSTED_PROXIES: '127.0.0.1' }
  let server: Server
  beforeAll(async () => {
    server = await startServer(environment)
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    scratch.remove()
  })

  it('hold for a business over all of its keys and both modes', async () => {
    const business = await found(environment, '30/30')
    const [test, live] = [server.ready['test_url'] ?? '', server.ready['live_url'] ?? '']
    const places = [
      { url: test, key: await business.key('test') },
      { url: test, key: await business.key('test', '--read-only') },
      { url: live, key: await business.key('live') },
    ]
    const answers = await rush(places, 60)
    expect(tally(answers)).toEqual({ 200: 30, 429: 30 })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('x-ratelimit-limit')).toBe('30')
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(1)
    expect(await refused?.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  it('follow a new tier, in both directions, before ten seconds are over', async () => {
    const business = await found(environment, '1000/1000')
    const places = [{ url: server.ready['test_url'] ?? '', key: await business.key('test') }]
    expect(tally(await rush(places, 20))).toEqual({ 200: 20 })
    await business.limit('1/20')
    const until10s = { timeout: 10_000, interval: 50 }
    await expect.poll(async () => tally(await rush(places, 1)), until10s).toEqual({ 429: 1 })
    await business.limit('unlimited')
    await expect.poll(async () => tally(await rush(places, 1)), until10s).toEqual({ 200: 1 })
    expect(tally(await rush(places, 100))).toEqual({ 200: 100 })
  })

  it('hold for an address without a valid key, and never for a good key of that address', async () => {
    const url = server.ready['test_url'] ?? ''
    const business = await found(environment, 'unlimited')
    const good = { url, key: await business.key('test') }
    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    const places = Array.from({ length: 150 }, (_, index) => ({
      url,
      key: `guess-${index}`,
      headers,
    }))
    const answers = tally(await rush(places, 150))
    // 20 in each second that the requests took.
    expect(answers[401]).toBeGreaterThanOrEqual(20)
    expect(answers[401]).toBeLessThanOrEqual(100)
    expect(Number(answers[401]) + Number(answers[429])).toBe(150)
    expect(tally(await rush([{ ...good, headers }], 50))).toEqual({ 200: 50 })
    const metrics = await fetch(`${server.ready['ops_url']}/metrics`)
    const limited = readMetrics(await metrics.text())
    expect(limited.get('sluice_rate_limited_total{scope="address"}')).toBe(answers[429])
  })
})

describeWith(distributedMissing, 'the limits of several processes', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await openFleet(await openDistributed())
    await fleet.start('http-1', 'http')
    await fleet.start('http-2', 'http')
  }, 300_000)
  afterAll(() => fleet?.close())

  it('are those of one', async () => {
    const { environment } = fleet
    const business = await found(environment, '50/50')
    const [test, live] = [await business.key('test'), await business.key('live')]
    const places = ['http-1', 'http-2'].flatMap((name) => {
      const { ready } = fleet.server(name)
      return [
        { url: ready['test_url'] ?? '', key: test },
        { url: ready['live_url'] ?? '', key: live },
      ]
    })
    expect(tally(await rush(places, 120))).toEqual({ 200: 50, 429: 70 })
    await business.limit('60/60')
    let more = 0
    const passed = async () => {
      more += tally(await rush(places, 4))[200] ?? 0
      return more
    }
    await expect.poll(passed, patient).toBe(10)
    expect(tally(await rush(places, 20))).toEqual({ 429: 20 })
  })
})

interface Place {
  readonly url: string
  readonly key: string
  readonly headers?: Readonly<Record<string, string>>
}

/** So many reads at once, divided between the places. */
const rush = (places: readonly Place[], count: number): Promise<readonly Response[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { url, key, headers } = places[index % places.length] as Place
      return fetch(`${url}/customers`, { headers: { ...headers, Authorization: `Bearer ${key}` } })
    }),
  )

function tally(answers: readonly Response[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** A business of that tier. */
async function found(environment: Environment, tier: string) {
  const id = await text(
    ['business', 'create', '--name', 'Acme', '--rate-tier', tier],
    'business_id',
  )
  return {
    key: (mode: string, ...more: string[]) =>
      text(['keys', 'create', '--business', id, '--mode', mode, ...more], 'api_key'),
    limit: (next: string) => text(['business', 'limit', id, '--rate-tier', next], 'rate_tier'),
  }

  async function text(words: readonly string[], name: string): Promise<string> {
    return String((await operate(environment, words))[name])
  }
}
