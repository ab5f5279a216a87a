import DodoPayments from 'dodopayments'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { deleteWebhookEndpoint } from '../../../src/operations/webhooks/change-webhook-endpoint.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { deliveries } from '../../../src/parts/store/postgres/telling/deliveries.ts'
import type { WebhookEndpoint } from '../../../src/rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../../src/rules/facts/webhook-endpoint.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { hour, instantOf, millisecond, second } from '../../../src/std/instant.ts'
import { toWebhookSecret } from '../../../src/wire/webhook-endpoint.ts'
import { openBooks, secrets, webhookPorts } from '../../support/store/books.ts'
import type { Received } from '../../support/webhooks/receiver.ts'
import { answer } from '../../support/webhooks/receiver.ts'
import { movableClock, over, telling } from '../../support/webhooks/telling.ts'

const { db, outcomes, receiver, started, rows, settled, relayed } = telling()

const secretOf = (endpoint: WebhookEndpoint): string =>
  toWebhookSecret(secrets.open(endpoint.secret, secretContext(endpoint)))

const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

describe('delivery', () => {
  it('tells a committed fact in an envelope that public verifiers accept', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver()
    const endpoint = await books.endpoint({ url, headers: { 'X-Team': 'billing' } })
    const [id] = await books.facts(1)
    started()
    await until(1)
    const [request] = received
    if (request === undefined) throw new Error('nothing came')
    expect(request.headers).toMatchObject({
      'webhook-id': id,
      'content-type': 'application/json',
      'user-agent': 'Sluice-Webhooks/1',
      'x-team': 'billing',
    })
    const seen = new Webhook(secretOf(endpoint)).verify(request.body, headersOf(request))
    expect(seen).toEqual({
      business_id: books.businessId,
      type: 'credit.deducted',
      timestamp: '2026-01-31T12:00:00.123456Z',
      data: {
        id: `cle_${id}`,
        business_id: books.businessId,
        brand_id: books.businessId,
        customer_id: expect.stringMatching(/^cus_/),
        credit_entitlement_id: expect.stringMatching(/^cde_/),
        transaction_type: 'credit_deducted',
        is_credit: false,
        amount: '2.5',
        balance_before: '100',
        balance_after: '97.5',
        overage_before: '0',
        overage_after: '0',
        grant_id: null,
        reference_type: null,
        reference_id: null,
        description: null,
        metadata: { plan: 'pro' },
        created_at: '2026-01-31T12:00:00.123456Z',
        payload_type: 'CreditLedgerEntry',
      },
    })
    const client = new DodoPayments({ bearerToken: 'none' })
    const unwrapped = client.webhooks.unwrap(request.body, {
      headers: headersOf(request),
      key: secretOf(endpoint),
    })
    expect(unwrapped).toEqual(seen)
    const [row] = await settled(over)
    expect(row).toMatchObject({ attempts: 1, outcome: 'delivered', next_at: null })
  })

  it('tells facts that carry their own data, and names their shape', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver()
    await books.endpoint({ url })
    const id = await books.lowBalance()
    started().nudge()
    await until(1)
    expect(received[0]?.id).toBe(id)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'credit.balance_low',
      data: { available_balance: '1.5', threshold_percent: 20, payload_type: 'CreditBalanceLow' },
    })
  })

  it('tells only endpoints that are enabled, there, of the mode and want the type', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver()
    const wanted = await books.endpoint({ url: `${url}/wanted`, filter_types: ['credit.added'] })
    await books.endpoint({ url: `${url}/all` })
    await books.endpoint({ url: `${url}/other`, filter_types: ['credit.expired'] })
    await books.endpoint({ url: `${url}/disabled`, disabled: true })
    const gone = await books.endpoint({ url: `${url}/deleted` })
    const { webhookId } = gone
    await deleteWebhookEndpoint(webhookPorts(db()), wanted, { webhookId, at: instantOf(0) })
    const stranger = await openBooks(db())
    await stranger.endpoint({ url: `${url}/stranger` })
    await books.facts(1, 'credit.added')
    await books.facts(1, 'credit.deducted')
    started()
    await until(3)
    await settled(over)
    expect(received.map((request) => request.path).toSorted()).toEqual([
      '/hooks/all',
      '/hooks/all',
      '/hooks/wanted',
    ])
    expect(await db().query(sql`select from outbox`)).toHaveLength(0)
  })

  it('keeps no message for a fact that nobody wants', async () => {
    const { books } = await receiver()
    await books.facts(3)
    started()
    while ((await db().query(sql`select from outbox`)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await db().query(sql`select from messages`)).toHaveLength(0)
  })

  it('tries eight times by the schedule, with one id and body, and then gives up', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver(answer(500))
    await books.endpoint({ url })
    await books.facts(1)
    const clock = movableClock()
    started({ clock })
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await until(attempt)
      const [row] = await settled(([one]) => one?.attempts === attempt)
      if (row?.next_at === null || row === undefined) break
      waits.push(Math.round((row.next_at - (await lastEnd())) / second))
      clock.ahead += row.next_at - clock.now()
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000])
    expect(await rows()).toMatchObject([{ attempts: 8, next_at: null, outcome: 'given_up' }])
    expect(received).toHaveLength(8)
    expect(new Set(received.map((request) => request.id + request.body)).size).toBe(1)
    const attempts = await db().query<{ number: number; status: number; error: string }>(
      sql`select number, status, error from attempts order by number`,
    )
    expect(attempts).toHaveLength(8)
    expect(attempts[7]).toEqual({ number: 8, status: 500, error: 'status' })
    expect(outcomes.slice(-8)).toEqual([...Array<string>(7).fill('failed'), 'given_up'])
  })

  it('signs every attempt at its own time', async () => {
    const {
      receiver: { url, until, received },
      books,
    } = await receiver(answer(503, { 'retry-after': '60' }))
    await books.endpoint({ url })
    await books.facts(1)
    const clock = movableClock()
    started({ clock })
    await until(1)
    const [row] = await settled(([one]) => one?.attempts === 1)
    expect(Math.round(((row?.next_at ?? 0) - (await lastEnd())) / second)).toBe(60)
    clock.ahead += hour
    await until(2)
    const [first, second_] = received.map((request) => Number(request.headers['webhook-timestamp']))
    expect((second_ ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(3_600)
    expect(received[0]?.headers['webhook-signature']).not.toBe(
      received[1]?.headers['webhook-signature'],
    )
  })

  it('goes on after a restart with the same id and body', async () => {
    let failing = true
    const {
      receiver: { url, until, received },
      books,
    } = await receiver((request, response, raw) =>
      answer(failing ? 500 : 200)(request, response, raw),
    )
    await books.endpoint({ url })
    await books.facts(5)
    const clock = movableClock()
    const first = started({ clock })
    await until(5)
    await settled((all) => all.length === 5 && all.every((one) => one.attempts === 1))
    await first.stop()
    failing = false
    clock.ahead += 6 * second
    started({ clock })
    await until(10)
    const all = await settled(over)
    expect(all.every((one) => one.outcome === 'delivered' && one.attempts === 2)).toBe(true)
    expect(new Set(received.map((request) => request.id)).size).toBe(5)
    expect(new Set(received.map((request) => request.id + request.body)).size).toBe(5)
  })

  it('frees what a stop breaks off, and repeats it at once', async () => {
    let hanging = true
    const {
      receiver: { url, until, received },
      books,
    } = await receiver((_request, response) => {
      if (!hanging) response.end()
    })
    await books.endpoint({ url })
    await books.facts(1)
    const first = started()
    await until(1)
    await first.stop(0)
    expect(await rows()).toMatchObject([{ attempts: 0, claimed_until: null, outcome: null }])
    hanging = false
    started()
    await until(2)
    expect(received[0]?.body).toBe(received[1]?.body)
    await settled(over)
  })

  it('repeats what a vanished process had claimed, when its lease has ended', async () => {
    const {
      receiver: { url, until },
      books,
    } = await receiver()
    await books.endpoint({ url })
    await books.facts(1)
    await relayed(systemClock().now())
    const claim = { at: systemClock().now(), limit: 10, perEndpoint: 8, underWay: new Map() }
    const claimed = await deliveries(db()).claim({ ...claim, leaseMs: 60_000 })
    expect(claimed).toHaveLength(1)
    expect(await deliveries(db()).claim({ ...claim, leaseMs: 60_000 })).toEqual([])
    await db().query(sql`update deliveries set claimed_until = now() - interval '1 second'`)
    started()
    await until(1)
    await settled(over)
    // The process that comes back late changes nothing.
    const [late] = claimed
    if (late === undefined) throw new Error('nothing was claimed')
    await deliveries(db()).record([
      {
        messageId: late.messageId,
        webhookId: late.webhookId,
        attempt: 1,
        scheduleStart: late.scheduleStart,
        at: systemClock().now(),
        durationMs: 1,
        status: 500,
        error: 'status',
        answer: null,
        nextAt: systemClock().now(),
        outcome: null,
      },
    ])
    expect(await rows()).toMatchObject([{ attempts: 1, outcome: 'delivered', next_at: null }])
  })

  it('delivers once with several at work, and never twice at the same time', async () => {
    const open = new Set<string>()
    const twice: string[] = []
    const {
      receiver: { url, until, received },
      books,
    } = await receiver(async ({ id }, response) => {
      if (open.has(id)) twice.push(id)
      open.add(id)
      await new Promise((resolve) => setTimeout(resolve, 5))
      open.delete(id)
      response.end()
    })
    await books.endpoint({ url })
    const ids = await books.facts(120)
    for (let one = 0; one < 3; one += 1) started()
    await until(120)
    await settled((all) => all.length === 120 && over(all))
    expect(twice).toEqual([])
    expect(received.map((request) => request.id).toSorted()).toEqual([...ids].toSorted())
  })
})

/** When the last attempt was over: waits are counted from there, whenever they are looked at. */
async function lastEnd(): Promise<number> {
  const [attempt] = await db().query<{ at: number; duration_ms: number }>(
    sql`select at, duration_ms from attempts order by number desc limit 1`,
  )
  return (attempt?.at ?? 0) + (attempt?.duration_ms ?? 0) * millisecond
}
