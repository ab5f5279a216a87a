import DodoPayments from 'dodopayments'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Delivery, DeliveryOptions } from '../../../src/engine/webhooks/delivery.ts'
import { openDelivery } from '../../../src/engine/webhooks/delivery.ts'
import { deliveries } from '../../../src/parts/store/postgres/deliveries.ts'
import { outbox } from '../../../src/parts/store/postgres/outbox.ts'
import { sql } from '../../../src/parts/store/postgres/sql.ts'
import { webhookEndpoints } from '../../../src/parts/store/postgres/webhook-endpoints.ts'
import { destinations } from '../../../src/rules/facts/destination.ts'
import type { WebhookEndpoint } from '../../../src/rules/facts/webhook-endpoint.ts'
import { secretContext } from '../../../src/rules/facts/webhook-endpoint.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { after, hour, instantOf, second } from '../../../src/std/instant.ts'
import { toWebhookSecret } from '../../../src/wire/webhook-endpoint.ts'
import type { ScratchDatabase } from '../../support/database.ts'
import { scratchDatabase } from '../../support/database.ts'
import type { Books } from '../../support/facts.ts'
import { openBooks, quiet, secrets } from '../../support/facts.ts'
import type { Received, Receiver, Respond } from '../../support/receiver.ts'
import { answer, openReceiver } from '../../support/receiver.ts'

let scratch: ScratchDatabase
let books: Books
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  scratch = await scratchDatabase()
})
afterAll(() => scratch.drop())
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await scratch.db.query(sql`truncate outbox, messages, deliveries, attempts, webhook_endpoints`)
})

async function receiver(respond?: Respond): Promise<Receiver> {
  const opened = await openReceiver(respond)
  closing.push(opened.close)
  books = await openBooks(scratch.db)
  return opened
}

const outcomes: string[] = []
const options = (more: Partial<DeliveryOptions> = {}): DeliveryOptions => ({
  outbox: outbox(scratch.db),
  deliveries: deliveries(scratch.db),
  secrets,
  destinations: destinations([]),
  clock: systemClock(),
  logger: quiet,
  metrics: { attempted: (outcome) => outcomes.push(outcome), pending: () => undefined },
  ...more,
})

function started(more: Partial<DeliveryOptions> = {}): Delivery {
  const delivery = openDelivery(options(more))
  closing.push(() => delivery.stop(0))
  delivery.start()
  return delivery
}

/** Real time, with jumps ahead: for waits of hours. */
function movableClock(): Clock & { ahead: number } {
  const real = systemClock()
  const clock = { ahead: 0, now: () => after(real.now(), clock.ahead) }
  return clock
}

const secretOf = (endpoint: WebhookEndpoint): string =>
  toWebhookSecret(secrets.open(endpoint.secret, secretContext(endpoint)))

const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

interface Row {
  readonly message_id: string
  readonly attempts: number
  readonly next_at: number | null
  readonly claimed_until: number | null
  readonly outcome: string | null
}

const rows = (): Promise<readonly Row[]> =>
  scratch.db.query<Row>(sql`select * from deliveries order by message_id`)

/** Waits for what the store says; a test that waits in vain ends by its own timeout. */
async function settled(check: (rows: readonly Row[]) => boolean): Promise<readonly Row[]> {
  for (;;) {
    const now = await rows()
    if (check(now)) return now
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const over = (all: readonly Row[]): boolean =>
  all.length > 0 && all.every((one) => one.outcome !== null)

describe('delivery', () => {
  it('tells a committed fact in an envelope that public verifiers accept', async () => {
    const { url, until, received } = await receiver()
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
    const { url, until, received } = await receiver()
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
    const { url, until, received } = await receiver()
    const wanted = await books.endpoint({ url: `${url}/wanted`, filter_types: ['credit.added'] })
    await books.endpoint({ url: `${url}/all` })
    await books.endpoint({ url: `${url}/other`, filter_types: ['credit.expired'] })
    await books.endpoint({ url: `${url}/disabled`, disabled: true })
    const gone = await books.endpoint({ url: `${url}/deleted` })
    await webhookEndpoints(scratch.db).remove(wanted, gone.webhookId, instantOf(0))
    const stranger = await openBooks(scratch.db)
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
    expect(await scratch.db.query(sql`select from outbox`)).toHaveLength(0)
  })

  it('keeps no message for a fact that nobody wants', async () => {
    await receiver()
    await books.facts(3)
    started()
    while ((await scratch.db.query(sql`select from outbox`)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await scratch.db.query(sql`select from messages`)).toHaveLength(0)
  })

  it('tries eight times by the schedule, with one id and body, and then gives up', async () => {
    const { url, until, received } = await receiver(answer(500))
    await books.endpoint({ url })
    await books.facts(1)
    const clock = movableClock()
    started({ clock })
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await until(attempt)
      const [row] = await settled(([one]) => one?.attempts === attempt)
      if (row?.next_at === null || row === undefined) break
      waits.push(Math.round((row.next_at - clock.now()) / second))
      clock.ahead += row.next_at - clock.now()
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000])
    expect(await rows()).toMatchObject([{ attempts: 8, next_at: null, outcome: 'given_up' }])
    expect(received).toHaveLength(8)
    expect(new Set(received.map((request) => request.id + request.body)).size).toBe(1)
    const attempts = await scratch.db.query<{ number: number; status: number; error: string }>(
      sql`select number, status, error from attempts order by number`,
    )
    expect(attempts).toHaveLength(8)
    expect(attempts[7]).toEqual({ number: 8, status: 500, error: 'status' })
    expect(outcomes.slice(-8)).toEqual([...Array<string>(7).fill('failed'), 'given_up'])
  })

  it('signs every attempt at its own time', async () => {
    const { url, until, received } = await receiver(answer(503, { 'retry-after': '60' }))
    await books.endpoint({ url })
    await books.facts(1)
    const clock = movableClock()
    started({ clock })
    await until(1)
    const [row] = await settled(([one]) => one?.attempts === 1)
    expect(Math.round(((row?.next_at ?? 0) - clock.now()) / second)).toBe(60)
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
    const { url, until, received } = await receiver((request, response, raw) =>
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
    const { url, until, received } = await receiver((_request, response) => {
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
    const { url, until } = await receiver()
    await books.endpoint({ url })
    await books.facts(1)
    await outbox(scratch.db).relay(
      (await outbox(scratch.db).waiting(10)).map(({ id }) => ({ id, body: '{}' })),
      systemClock().now(),
    )
    const claim = { at: systemClock().now(), limit: 10, perEndpoint: 8, underWay: new Map() }
    const claimed = await deliveries(scratch.db).claim({ ...claim, leaseMs: 60_000 })
    expect(claimed).toHaveLength(1)
    expect(await deliveries(scratch.db).claim({ ...claim, leaseMs: 60_000 })).toEqual([])
    await scratch.db.query(sql`update deliveries set claimed_until = now() - interval '1 second'`)
    started()
    await until(1)
    await settled(over)
    // The one that comes back from the dead changes nothing.
    const [late] = claimed
    if (late === undefined) throw new Error('nothing was claimed')
    await deliveries(scratch.db).record([
      {
        messageId: late.messageId,
        webhookId: late.webhookId,
        attempt: 1,
        at: systemClock().now(),
        durationMs: 1,
        status: 500,
        error: 'status',
        nextAt: systemClock().now(),
        outcome: null,
      },
    ])
    expect(await rows()).toMatchObject([{ attempts: 1, outcome: 'delivered', next_at: null }])
  })

  it('delivers once with several at work, and never twice at the same time', async () => {
    const open = new Set<string>()
    const twice: string[] = []
    const { url, until, received } = await receiver(async ({ id }, response) => {
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

describe('delivery and its neighbours', () => {
  it('lets no slow endpoint delay another, and bounds what one has open', async () => {
    const slow = await openReceiver(() => undefined)
    closing.push(slow.close)
    const quick = await receiver()
    await books.endpoint({ url: slow.url })
    await books.endpoint({ url: quick.url })
    await books.facts(100)
    started()
    await quick.until(100)
    await slow.until(8)
    expect(slow.openMax()).toBe(8)
    expect(slow.received).toHaveLength(8)
  })

  it('stops pending attempts of endpoints that are disabled or deleted, for good', async () => {
    const { url, until, received } = await receiver(answer(500))
    const disabled = await books.endpoint({ url })
    const deleted = await books.endpoint({ url })
    await books.facts(1)
    const clock = movableClock()
    started({ clock })
    await until(2)
    await settled((all) => all.length === 2 && all.every((one) => one.attempts === 1))
    const endpoints = webhookEndpoints(scratch.db)
    const at = clock.now()
    await endpoints.change(disabled, disabled.webhookId, { disabled: true, at })
    await endpoints.remove(deleted, deleted.webhookId, at)
    expect((await rows()).map((one) => one.outcome)).toEqual(['stopped', 'stopped'])
    await endpoints.change(disabled, disabled.webhookId, { disabled: false, at })
    clock.ahead += 100 * hour
    await books.facts(1)
    await until(3)
    expect(received).toHaveLength(3)
  })

  it('stops an attempt under way when it fails, and tidies what slipped past', async () => {
    const { url, until } = await receiver(async (_request, response) => {
      await webhookEndpoints(scratch.db).change(endpoint, endpoint.webhookId, {
        disabled: true,
        at: instantOf(0),
      })
      response.writeHead(500).end()
    })
    const endpoint = await books.endpoint({ url })
    await books.facts(1)
    started()
    await until(1)
    const [row] = await settled(([one]) => one?.attempts === 1)
    expect(row).toMatchObject({ outcome: 'stopped', next_at: null })
    await scratch.db.query(sql`update deliveries set next_at = now(), outcome = null`)
    expect(await deliveries(scratch.db).tidy()).toBe(0)
    expect(await rows()).toMatchObject([{ outcome: 'stopped', next_at: null }])
  })

  it('throttles to the rate limit, whoever sends, and drops nothing', async () => {
    const { url, until, received } = await receiver()
    await books.endpoint({ url, rate_limit: 20 })
    await books.facts(30)
    started()
    started()
    await until(30)
    await settled((all) => all.length === 30 && over(all))
    expect(received).toHaveLength(30)
    const times = received.map((request) => request.atMs).toSorted((a, b) => a - b)
    // 29 steps of 51 ms; the first may arrive late, and load can only make the rest later.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000)
  })

  it('has no limit at rate_limit 0', async () => {
    const { url, until } = await receiver()
    await books.endpoint({ url, rate_limit: 0 })
    await books.facts(3)
    started()
    await until(3)
  })

  it('shows who was told of an entry, and how that went', async () => {
    const { url, until } = await receiver(answer(404))
    const { webhookId } = await books.endpoint({ url })
    const [messageId] = await books.facts(1)
    started()
    await until(1)
    await settled(([one]) => one?.attempts === 1)
    expect(await deliveries(scratch.db).ofEntry(books.accountId, 1)).toMatchObject([
      {
        messageId,
        webhookId,
        type: 'credit.deducted',
        outcome: null,
        attempts: [{ number: 1, status: 404, error: 'status' }],
      },
    ])
  })
})

describe('the relay', () => {
  it('lets first attempts set out in the order of the facts', async () => {
    const { url } = await receiver()
    await books.endpoint({ url })
    const ids = await books.facts(50)
    const facts = await outbox(scratch.db).waiting(100)
    const at = systemClock().now()
    await outbox(scratch.db).relay(
      facts.map(({ id }) => ({ id, body: '{}' })),
      at,
    )
    const claims = await deliveries(scratch.db).claim({
      at,
      limit: 50,
      perEndpoint: 50,
      underWay: new Map(),
      leaseMs: 1_000,
    })
    expect(claims.map((claim) => claim.messageId)).toEqual(ids)
  })

  it('takes each fact once, however many relay at once', async () => {
    const { url } = await receiver()
    await books.endpoint({ url, disabled: false })
    const ids = await books.facts(400)
    const box = outbox(scratch.db)
    const round = async (): Promise<number> => {
      const facts = await box.waiting(100)
      const bodies = facts.map(({ id, messageId }) => ({ id, body: messageId }))
      return (await box.relay(bodies, instantOf(0))).facts
    }
    let taken = 0
    while (taken < 400) {
      const counts = await Promise.all([round(), round(), round(), round()])
      taken += counts.reduce((sum, count) => sum + count, 0)
    }
    expect(taken).toBe(400)
    const messages = await scratch.db.query<{ message_id: string; body: string }>(
      sql`select message_id, body from messages`,
    )
    expect(messages.map((message) => message.message_id).toSorted()).toEqual([...ids].toSorted())
    expect(messages.every((message) => message.body === message.message_id)).toBe(true)
    expect(await rows()).toHaveLength(400)
  })
})
