import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { formerSecretsMax } from '../../../src/operations/webhooks/rotate-webhook-secret.ts'
import { outbox } from '../../../src/parts/store/postgres/telling/outbox.ts'
import type { SampledType } from '../../../src/rules/facts/sample-fact.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { hour } from '../../../src/std/instant.ts'
import { flatHeaders, numbersOf, oneEndpoint } from '../../support/webhooks/one-endpoint.ts'
import type { Received } from '../../support/webhooks/receiver.ts'
import { answer } from '../../support/webhooks/receiver.ts'
import { movableClock, over, telling } from '../../support/webhooks/telling.ts'

const suite = telling()
const { db, started, settled } = suite
const endpoint = oneEndpoint(suite)

/** Tests of the wire see all samples. */
const oneOfEachShape: readonly SampledType[] = [
  'credit.added',
  'credit.balance_low',
  'payment.failed',
  'refund.succeeded',
  'dispute.opened',
  'subscription.on_hold',
  'dunning.started',
]

describe('tests', () => {
  it.each(oneOfEachShape)('send a sample of %s, signed and marked, once', async (type) => {
    const one = await endpoint(answer(500))
    started()
    const { status, body } = await one.call(`POST ${one.path}/test`, { type })
    expect({ status, ...body }).toMatchObject({ status: 200, test: true, type, sequence: 1 })
    await settled(over)
    const [request] = one.receiving.received
    const { body: secret } = await one.call(`GET ${one.path}/secret`)
    const seen = new Webhook(String(secret['secret'])).verify(
      request?.body ?? '',
      flatHeaders(request as Received),
    )
    expect(seen).toMatchObject({ business_id: one.books.businessId, type, test: true })
    expect(await one.listed()).toMatchObject([{ outcome: 'given_up', attempts: 1, payload: seen }])
  })

  it('are sent once more when that is asked while they are under way, and still once', async () => {
    let asked: Promise<unknown> = Promise.resolve()
    const one = await endpoint(async ({ id }, response) => {
      if (one.receiving.received.length === 1) {
        asked = one.call(`POST ${one.path}/messages/${id}/resend`)
        await asked
      }
      response.writeHead(500).end()
    })
    await one.call(`POST ${one.path}/test`, { type: 'credit.added' })
    started()
    await settled(([row]) => row?.attempts === 2 && row.outcome === 'given_up')
    expect(await asked).toMatchObject({ status: 200, body: { outcome: 'pending' } })
    expect(one.receiving.received).toHaveLength(2)
  })

  it('leave no gap behind them, whether they come or not', async () => {
    const one = await endpoint()
    await one.books.facts(1)
    started()
    await settled(over)
    await one.call(`POST ${one.path}/test`, { type: 'credit.added' })
    await settled((all) => all.length === 2 && over(all))
    await one.books.facts(2)
    await settled((all) => all.length === 4 && over(all))
    const numbers = one.receiving.received.map(numbersOf)
    expect(numbers.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 3],
    ])
  })

  it.each([{}, { type: 'payment.unheard_of' }, { type: 'nonsense' }, { type: null }])(
    'refuse %j',
    async (body) => {
      const one = await endpoint()
      expect(await one.call(`POST ${one.path}/test`, body)).toMatchObject({ status: 422 })
    },
  )
})

describe('a secret that is rotated', () => {
  it('signs beside the former ones for a day, and no longer', async () => {
    const clock = movableClock()
    const one = await endpoint(undefined, clock)
    const shown = async () => String((await one.call(`GET ${one.path}/secret`)).body['secret'])
    const first = await shown()
    const rotated = await one.call(`POST ${one.path}/secret/rotate`)
    const second = String(rotated.body['secret'])
    expect(await shown()).toBe(second)
    expect(rotated.body).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      former_secret_valid_until: expect.stringMatching(/Z$/),
    })
    expect(second).not.toBe(first)
    started({ clock })
    await one.books.facts(1)
    await settled(over)
    await one.call(`POST ${one.path}/secret/rotate`)
    const third = await shown()
    await one.books.facts(1)
    await settled((all) => all.length === 2 && over(all))
    const verifying = (request: Received | undefined) => {
      const { id = '', body = '', headers = {} } = request ?? {}
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
      const signatures = String(headers['webhook-signature']).split(' ')
      return [first, second, third].map((secret) =>
        signatures.includes(new Webhook(secret).sign(id, at, body)),
      )
    }
    const [before, after] = one.receiving.received
    expect(verifying(before)).toEqual([true, true, false])
    expect(verifying(after)).toEqual([true, true, true])
    expect(() =>
      new Webhook(first).verify(after?.body ?? '', flatHeaders(after as Received)),
    ).not.toThrow()
    clock.ahead += 24 * hour
    await one.books.facts(1)
    await settled((all) => all.length === 3 && over(all))
    expect(verifying(one.receiving.received[2])).toEqual([false, false, true])
  })

  it('keeps its promise to each: past so many within a day another rotation is refused', async () => {
    const one = await endpoint()
    const most = formerSecretsMax
    const rotate = () => one.call(`POST ${one.path}/secret/rotate`)
    const all = await Promise.all(Array.from({ length: most + 2 }, rotate))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(most)
    expect(all.filter(({ status }) => status === 409)).toHaveLength(2)
    started()
    await one.books.facts(1)
    await settled(over)
    const signatures = String(one.receiving.received[0]?.headers['webhook-signature']).split(' ')
    expect(new Set(signatures).size).toBe(most + 1)
  })
})

describe('the numbers of deliveries', () => {
  it('have no gap and no double, however many relay at once, and tell of each endpoint by itself', async () => {
    const one = await endpoint()
    const wanted = ['credit.added'] as const
    await one.call('POST /webhooks', { url: `${one.receiving.url}/added`, filter_types: wanted })
    await one.books.facts(60)
    await one.books.facts(60, 'credit.added')
    const facts = (await outbox(db()).waiting(200)).toSorted((a, b) => (a.id % 7) - (b.id % 7))
    const groups = Array.from({ length: 12 }, (_, at) => facts.slice(at * 10, at * 10 + 10))
    const now = systemClock().now()
    await Promise.all(
      groups.map((group) =>
        outbox(db()).relay(
          group.map(({ id, messageId }) => ({ id, messageId, body: '{}', customerId: null })),
          now,
        ),
      ),
    )
    started()
    await settled((all) => all.length === 180 && over(all))
    for (const path of ['/hooks', '/hooks/added']) {
      const numbers = one.receiving.received
        .filter((request) => request.path === path)
        .map(numbersOf)
      const sorted = numbers.toSorted(([a = 0], [b = 0]) => a - b)
      expect(sorted).toEqual(sorted.map((_, index) => [index + 1, index]))
    }
  })
})
