import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { timesOf } from '../support/run/long.ts'
import type { Answer } from './asking.ts'
import { nasty, nearly, value } from './nasty.ts'
import { onceMeasured } from './once-measured.ts'
import type { Subscriber } from './plan.ts'
import { subscriber } from './plan.ts'
import { bodies, lists, paths } from './targets.ts'
import { world } from './world.ts'

// More of them: FUZZ_RUNS=5000 npx vitest run --config test/vitest.config.ts test/e2e/fuzz
const numRuns = timesOf('FUZZ_RUNS', { short: 12, long: 150 })
const at = world()
let one: Subscriber
beforeAll(async () => {
  one = await subscriber(at)
})

function judge(answer: Answer, what: string): void {
  expect(answer.status, `${what} → ${answer.text.slice(0, 300)}`).toBeLessThan(500)
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  if (answer.status < 400) return
  // The one page among them answers people, who have no use for a code; no other route may.
  if (what.startsWith('GET /s/') && answer.headers.get('content-type')?.startsWith('text/html')) {
    return
  }
  expect(Object.keys(answer.body), what).toEqual(['code', 'message', 'doc_url'])
  expect(answer.body.code).toMatch(/^[A-Z_]+$/)
  expect(answer.body.message).toMatch(/\S.*\.$/s)
  expect(answer.headers.get('x-should-retry')).toBe('false')
}

/** As a client would send it: half a surrogate pair has no UTF-8. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

describe('whatever a caller sends is answered below 500', { timeout: 600_000 }, () => {
  it.each(Object.entries(bodies))('as the body of a %s', async (_name, of) => {
    const [target, body] = of(one)
    const sent = fc.oneof(
      { weight: 9, arbitrary: fc.constant(null).chain(() => nearly(body())) },
      { weight: 1, arbitrary: value },
    )
    const send = async (wrong: unknown) => {
      const answer = await onceMeasured(() => at.call(target, { body: wrong ?? null }))
      judge(answer, `${target} ${JSON.stringify(wrong)}`)
    }
    await fc.assert(fc.asyncProperty(sent, send), { numRuns })
    const right = await onceMeasured(() => at.call(target, { body: body() }))
    expect(right.status, right.text).toBeLessThan(300)
  })

  it('as a query', async () => {
    const text = fc.oneof(
      nasty.map(String),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(one.customerId, one.meterIds[0] ?? ''),
    )
    const query = fc.constantFrom(...lists(one)).chain(([path, names]) => {
      const name = fc.constantFrom('page_size', 'page_number', ...names)
      const pairs = fc.array(fc.tuple(name, text), { maxLength: 4 })
      return pairs.map((all): `/${string}` => {
        const search = all.map(([key, sent]) => `${key}=${encoded(sent)}`)
        return `${path}?${search.join('&')}`
      })
    })
    const send = async (target: `/${string}`) => judge(await at.call(`GET ${target}`), target)
    await fc.assert(fc.asyncProperty(query, send), { numRuns: numRuns * 4 })
  })

  it('as a path', async () => {
    const { customerId, creditId, meterIds, productId, subscriptionId } = one
    const part = fc.oneof(
      fc.constantFrom(customerId, creditId, meterIds[0] ?? '', productId, subscriptionId),
      nasty.map((sent) => encoded(String(sent))),
      fc.constantFrom('%', '%ff', '%ED%A0%80', '%2F', '%2e%2e', '%00', ';', '?', 'x'.repeat(3000)),
      fc.string({ maxLength: 20 }).map(encoded),
    )
    const path = fc
      .tuple(fc.constantFrom(...paths), part, part)
      .map((parts) => parts.reduce((sofar, next) => sofar.replace(':', () => next)))
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'HEAD', 'OPTIONS')
    const send = async (verb: string, target: string) => {
      const body = verb === 'POST' || verb === 'PATCH' ? { body: {} } : {}
      const answer = await at.call(`${verb} /${target.slice(1)}`, body)
      if (verb === 'HEAD') expect(answer.status).toBeLessThan(500)
      else judge(answer, `${verb} ${target}`)
    }
    await fc.assert(fc.asyncProperty(method, path, send), { numRuns: numRuns * 4 })
  })

  it('and leaves the server whole', async () => {
    await one.balance(await one.use({}, {}))
    await expect.poll(async () => (await fetch(`${at.url('ops')}/readyz`)).status).toBe(200)
    await expect.poll(async () => (await at.metrics()).get('sluice_unaccounted_events')).toBe(0)
    expect(at.logged).not.toMatch(/"level":"(error|fatal)"/)
  })
})
