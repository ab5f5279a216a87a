import { expect, it } from 'vitest'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { at } from './here.ts'
import { patient, rigMissing } from './rig.ts'

describeWith(rigMissing, 'while PostgreSQL', () => {
  const troubles = [
    ['is gone', () => at.postgres.kill(), () => at.postgres.start()],
    ['hangs', () => at.postgres.freeze(), () => at.postgres.thaw()],
    [
      'cannot be reached, without a word',
      async () => at.proxies.postgres.stall(true),
      async () => at.proxies.postgres.stall(false),
    ],
  ] as const
  it.each(troubles)(
    '%s, what is known is accepted, what is not is 503, and all else waits',
    {
      timeout: 600_000,
    },
    async (_, begin, end) => {
      // Makes the edge know the customer.
      await expect.poll(async () => (await at.send()).status, patient).toBe(200)
      // Whatever fails here, the suites after it find everything mended.
      try {
        await begin()
        for (const name of ['billing', 'others']) {
          await expect
            .poll(() => at.readyz(name), patient)
            .toMatchObject({
              status: 503,
              checks: { engine: { state: 'down', reason: expect.stringContaining('store: ') } },
            })
        }
        await expect
          .poll(() => at.readyz('http'), patient)
          .toMatchObject({
            status: 200,
            checks: { store: { state: 'degraded', reason: expect.stringContaining('database') } },
          })
        for (let turn = 0; turn < 3; turn += 1)
          expect(await at.send()).toMatchObject({ status: 200 })
        const unknown = {
          status: 503,
          code: 'UNAVAILABLE',
          retryAfter: expect.stringMatching(/\d/),
        }
        await expect
          .poll(() => at.send({ key: 'sk_test_nobody_knows_this_one' }), patient)
          .toMatchObject(unknown)
        expect(await at.send({ customerId: 'cus_nobody' })).toMatchObject(unknown)
        expect(await at.get('/meters')).toMatchObject(unknown)
      } finally {
        await end()
      }
      for (const name of ['http', 'billing', 'others']) {
        await expect.poll(async () => (await at.readyz(name)).status, patient).toBe(200)
      }
      await expect
        .poll(async () => (await at.send({ customerId: 'cus_nobody' })).status, patient)
        .toBe(404)
      await at.load.progress()
    },
  )

  it('only reads, events are accepted, reads are answered, commands are 503', {
    timeout: 600_000,
  }, async () => {
    await at.load.progress()
    await setting('default_transaction_read_only = on')
    await expect
      .poll(() => at.readyz('billing'), patient)
      .toMatchObject({
        status: 503,
        checks: { engine: { state: 'down', reason: expect.stringContaining('only reads') } },
      })
    await expect
      .poll(() => at.readyz('http'), patient)
      .toMatchObject({
        status: 200,
        checks: { store: { state: 'degraded', reason: expect.stringContaining('only reads') } },
      })
    expect(await at.send()).toMatchObject({ status: 200 })
    expect(await at.get('/meters')).toMatchObject({ status: 200 })
    const customer = { email: 'ada@example.com', name: 'Ada' }
    // Each session notices a changed setting at its own time.
    const post = async () => (await at.post('/customers', customer)).status
    await expect.poll(post, patient).toBe(503)
    await setting('default_transaction_read_only = off')
    await expect.poll(async () => (await at.readyz('billing')).status, patient).toBe(200)
    await expect.poll(post, patient).toBe(200)
    await at.load.progress()
  })

  /** For every session, those that are open included. */
  async function setting(text: string): Promise<void> {
    const db = openDb({ url: at.postgres.url, connectionsMax: 1, name: 'test' })
    await db.query({ text: `alter system set ${text}`, values: [] })
    await db.query({ text: 'select pg_reload_conf()', values: [] })
    await db.close()
  }
})
