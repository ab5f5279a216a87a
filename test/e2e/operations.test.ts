import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { requestText, talk } from '../support/edge/talk.ts'
import { processesNaming, sluice } from '../support/process/server.ts'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

const at = world({ LOG_LEVEL: 'trace' })

const get = async (path: string) => {
  const answer = await fetch(`${at.url('ops')}${path}`)
  return [answer.status, await answer.text()] as const
}

it('says that it is alive and ready, and what of, and nothing else', async () => {
  expect(await get('/healthz')).toEqual([200, '{"alive":true}'])
  const readyz = async () => {
    const [status, text] = await get('/readyz')
    return [status, JSON.parse(text)]
  }
  // On a busy machine the engine may be late with an answer once.
  await expect
    .poll(readyz)
    .toEqual([
      200,
      { ready: true, checks: expect.objectContaining({ engine: { state: 'ok', reason: null } }) },
    ])
  expect((await get('/customers'))[0]).toBe(404)
  expect((await fetch(`${at.url('ops')}/metrics`, { method: 'POST' })).status).toBe(405)
  for (const path of ['/metrics', '/healthz', '/readyz'] as const) {
    expect((await at.call(`GET ${path}`)).status).toBe(404)
  }
})

it('counts under the names that dashboards know', async () => {
  const hook = await openReceiver()
  const { id } = await at.client().webhooks.create({ url: hook.url })
  const one = await subscriber(at)
  await one.balance(await one.use({ event_id: fresh('m') }, { event_name: 'of no meter' }))
  await one.ledger()
  await hook.until(2)
  await at.call('POST /events/ingest', { body: {} })
  const delivered = 'sluice_webhook_attempts_total{outcome="delivered"}'
  await expect.poll(async () => (await at.metrics()).get(delivered)).toBeGreaterThanOrEqual(2)
  const expected: Record<string, number> = {
    'sluice_ingest_requests_total{code="200"}': 1,
    'sluice_ingest_requests_total{code="422"}': 1,
    'sluice_ingest_events_total{result="accepted"}': 2,
    'sluice_ingest_events_total{result="duplicate"}': 0,
    sluice_ingest_request_duration_seconds_count: 2,
    sluice_ingest_inflight_bytes: 0,
    sluice_log_append_duration_seconds_count: 1,
    ...Object.fromEntries([0, 1, 2, 3].map((n) => [`sluice_log_lag_events{partition="${n}"}`, 0])),
    'sluice_billing_events_total{result="billed"}': 1,
    'sluice_billing_events_total{result="unmatched"}': 1,
    'sluice_billing_events_total{result="duplicate"}': 0,
    'sluice_billing_events_total{result="quarantined"}': 0,
    sluice_unaccounted_events: 0,
    sluice_dedupe_ids: 2,
    sluice_dedupe_healing: 0,
    'sluice_credit_entries_total{transaction_type="credit_added"}': 1,
    'sluice_credit_entries_total{transaction_type="credit_deducted"}': 1,
    'sluice_http_requests_total{route="/events/ingest",method="POST",code="200"}': 1,
    'sluice_http_request_duration_seconds_count{route="/events/ingest"}': 2,
  }
  // The metric counts, and dedupe knows, a moment after the commit that the balance shows.
  let metrics = await at.metrics()
  const seen = async () => {
    metrics = await at.metrics()
    return Object.fromEntries(Object.keys(expected).map((name) => [name, metrics.get(name)]))
  }
  await expect.poll(seen).toEqual(expected)
  for (const name of [
    'billing_batch_duration_seconds_count',
    'billing_freshness_seconds_count',
    'webhook_pending',
  ]) {
    expect(metrics.has(`sluice_${name}`), name).toBe(true)
  }
  expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  const labels = [...metrics.keys()].join('\n')
  for (const secret of [one.customerId, at.businessId, one.creditId])
    expect(labels).not.toContain(secret)
  await at.client().webhooks.delete(id)
  await hook.close()
})

it('finds everything as it was at the next start', async () => {
  const one = await subscriber(at)
  const event = { event_id: fresh('kept'), metadata: { n: 1 } }
  const position = await one.use(event, {})
  await one.ledger(position)
  const seen = async () => ({
    balance: await one.balance(position),
    ledger: await one.ledger(position),
    event: (await at.call(`GET /events/${encodeURIComponent(event.event_id)}`)).body,
    lists: await Promise.all(
      [
        'customers',
        'meters',
        'credit-entitlements',
        'products',
        'subscriptions',
        'events',
        'webhooks',
      ].map(async (list) => (await at.call(`GET /${list}`)).body),
    ),
  })
  const before = await seen()
  await at.restart('SIGTERM')
  expect(at.server.ready).toMatchObject({ ready: true, business_id: null, api_key: null })
  expect(await seen()).toEqual(before)
  // An id that was measured before the restart is known after it.
  const again = { ...event, customer_id: 'cus_nobody', event_name: 'x' }
  await expect
    .poll(async () => (await at.call('POST /events/ingest', { body: { events: [again] } })).body)
    .toEqual({ ingested_count: 0 })
  expect((await one.balance(await one.use({}))).balance).toBe('97')
})

it('lets operators work beside it, and no second server', async () => {
  const settings = { DATA_DIR: at.directory, LOG_LEVEL: 'silent' }
  const second = await sluice(['serve'], settings)
  expect([second.status, second.out, second.error.trim().split('\n').length]).toEqual([2, '', 1])
  const wrong = await sluice(
    ['keys', 'create', '--business', 'bus_nobody', '--mode', 'test'],
    settings,
  )
  expect([wrong.status, wrong.out]).toEqual([1, ''])
  expect(wrong.error).toMatch(/^There is no business.*\.\n$/)
  await expect.poll(async () => (await get('/readyz'))[0]).toBe(200)
})

it('finishes what is in flight when it is told to stop, and stops within ten seconds', async () => {
  const one = await subscriber(at, { mapping: { credits_amount: '1000000' } })
  const [customer_id, event_name] = [one.customerId, one.eventNames[0]]
  const events = () => ({ events: [{ event_id: fresh('last'), customer_id, event_name }] })
  const headers = { Authorization: `Bearer ${at.keys.write}` }
  const text = () =>
    requestText('POST', '/events/ingest', { headers, body: JSON.stringify(events()) })
  const port = Number(new URL(at.url()).port)
  const [slow, idle, stuck] = [talk(port), talk(port), talk(port)]
  const late = text()
  slow.send(late.slice(0, -10))
  idle.send(requestText('GET', '/nothing'))
  await idle.answer()
  // A request that will never be finished must not hold up the rest.
  stuck.send(text().slice(0, -10))
  let answered = 0
  const busy = Array.from({ length: 8 }, async () => {
    for (;;) {
      const body = events()
      const answer = await at.call('POST /events/ingest', { body }).catch(() => null)
      if (answer === null) return
      expect([200, 503], answer.text).toContain(answer.status)
      if (answer.status === 200) answered += 1
      else expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
  })
  await sleep(300)
  while (answered === 0) await sleep(5)
  const began = performance.now()
  const { ended } = at.server
  const stopped = at.stop('SIGTERM')
  while (await accepts(port)) await sleep(20)
  slow.send(late.slice(-10))
  const last = await slow.answer()
  expect([last.json(), last.headers.get('connection')]).toEqual([{ ingested_count: 1 }, 'close'])
  await stopped
  // The promise is 10 s; doubled for a machine that has other things to do.
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(await ended).toMatchObject({ status: 0, signal: null })
  expect(processesNaming(at.directory)).toEqual([])
  for (const each of [slow, idle, stuck]) each.destroy()
  await Promise.all(busy)
  await at.start()
  const spent = async () => 1_000_000 - Number((await one.balance()).balance)
  await expect.poll(spent).toBeGreaterThanOrEqual(answered + 1)
  // Only what was cut off between append and answer may be counted in addition.
  expect(await spent()).toBeLessThanOrEqual(answered + 1 + busy.length)
  expect(answered).toBeGreaterThan(0)
})

/** Whether anybody listens there. */
function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => done(false))
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
  })
}
