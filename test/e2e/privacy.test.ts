import { expect, it } from 'vitest'
import { processesNaming } from '../support/process/server.ts'
import { answer, openReceiver } from '../support/webhooks/receiver.ts'
import { fresh, ingest, subscriber } from './plan.ts'
import { world } from './world.ts'

const at = world({ LOG_LEVEL: 'trace' })

it('logs neither keys nor secrets nor anything that a caller sent', async () => {
  const client = at.client()
  const refusing = await openReceiver(answer(500))
  const hook = await client.webhooks.create({
    url: `${refusing.url}?token=whisper-url`,
    headers: { 'X-Token': 'whisper-header' },
    description: 'whisper-description',
    metadata: { note: 'whisper-metadata' },
  })
  const { secret } = await client.webhooks.retrieveSecret(hook.id)
  const one = await subscriber(at, { mapping: { low_balance_threshold_percent: 100 } })
  await client.customers.create({ email: 'whisper@example.com', name: 'whisper-name' })
  await one.ledger(
    await ingest(at, [
      {
        event_id: 'whisper-event',
        customer_id: one.customerId,
        event_name: one.eventNames[0] ?? '',
        metadata: { note: 'whisper-value' },
      },
    ]),
  )
  await client.creditEntitlements.balances.createLedgerEntry(one.customerId, {
    credit_entitlement_id: one.creditId,
    amount: '1',
    entry_type: 'credit',
    reason: 'whisper-reason',
    idempotency_key: 'whisper-key',
    metadata: { a: 'whisper-a' },
  })
  for (const [target, raw] of [
    ['POST /customers', '{"email":"whisper-broken'],
    ['POST /customers', '{"email":"whisper-mail","name":1}'],
    ['POST /events/ingest', '{"events":[{"event_id":"whisper-id","customer_id":"whisper-cus"}]}'],
    ['POST /credit-entitlements/whisper-path/undelete', '{}'],
    ['POST /nowhere/whisper-path?q=whisper-query', '{}'],
  ] as const) {
    expect((await at.call(target, { raw })).status).toBeGreaterThanOrEqual(400)
  }
  await at.call('GET /customers?name=whisper-query', { key: 'slc_test_rw_whisper-guess' })
  await refusing.until(3)

  // Logs of unexpected failures say more, so the database goes away in the middle of it.
  const [pid = Number.NaN] = processesNaming(`-D\0${at.directory}/postgres/data`)
  process.kill(pid, 'SIGKILL')
  const body = { email: 'whisper@example.com', name: fresh('whisper-name') }
  const statuses: number[] = []
  // At first a request may still be answered over a connection that has not noticed the end.
  while (!statuses.includes(503) || statuses.at(-1) !== 200) {
    statuses.push((await at.call('POST /customers', { body })).status)
  }
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  await at.stop()
  await refusing.close()

  expect(at.logged).toContain('PostgreSQL ended')
  expect(at.logged).toContain('UNAVAILABLE')
  const lines = at.logged.trim().split('\n')
  const logs = lines.filter((line) => !line.startsWith('sluice: '))
  for (const line of logs) expect(JSON.parse(line)).toMatchObject({ part: expect.any(String) })
  const sent = ['whisper', at.keys.write, at.keys.read, at.keys.live, 'slc_', secret, 'whsec_']
  for (const each of [...sent, secret.slice('whsec_'.length), 'Bearer', '@example.com']) {
    expect(lines.filter((line) => line.includes(each))).toEqual([])
  }
})
