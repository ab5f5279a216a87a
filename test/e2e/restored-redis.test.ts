import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { scratchDirectory, sluice, startServer } from '../support/process/server.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { redisMissing, startRedis } from '../support/servers/redis.ts'
import { fresh, subscriber } from './plan.ts'
import { world } from './world.ts'

const parts = {
  companions: [],
  async open() {
    const redis = await startRedis()
    const close = () => redis.stop()
    return { environment: { REDIS_URL: redis.url }, close }
  },
}

describeWith(redisMissing, 'a restored server whose Redis went on without it', () => {
  const at = world({}, { parts })
  const scratch = scratchDirectory()
  afterAll(() => scratch.remove())

  it('counts what its books have lost when it is sent again, from the first moment on', {
    timeout: 240_000,
  }, async () => {
    const one = await subscriber(at)
    const kept = Array.from({ length: 8 }, () => fresh('kept'))
    for (const event_id of kept) await one.balance(await one.use({ event_id }))
    const folder = join(scratch.path, 'backup')
    const settings = { DATA_DIR: join(scratch.path, 'restored'), REDIS_URL: redisUrl() }
    await at.sluice('backup', folder)
    const lost = Array.from({ length: 12 }, () => fresh('lost'))
    for (const event_id of lost) await one.balance(await one.use({ event_id }))
    await at.stop()

    expect((await sluice(['restore', folder], settings)).status).toBe(0)
    const server = await startServer(settings)
    try {
      const send = async (eventId: string) => {
        const event = { event_id: eventId, customer_id: one.customerId }
        const answer = await fetch(`${server.ready['test_url']}/events/ingest`, {
          method: 'POST',
          headers: { authorization: `Bearer ${at.keys.write}`, 'content-type': 'application/json' },
          body: JSON.stringify({ events: [{ ...event, event_name: one.eventNames[0] }] }),
        })
        expect(answer.status).toBe(200)
      }
      for (const eventId of [...lost, ...kept]) await send(eventId)
      const path = `/credit-entitlements/${one.creditId}/balances/${one.customerId}`
      const balance = async () => {
        const answer = await fetch(`${server.ready['test_url']}${path}`, {
          headers: { authorization: `Bearer ${at.keys.write}` },
        })
        return ((await answer.json()) as { balance: string }).balance
      }
      await expect.poll(balance, { timeout: 60_000 }).toBe('80')
      const audit = await sluice(['verify', '--json'], settings)
      expect([audit.status, JSON.parse(audit.out)]).toMatchObject([0, { ok: true }])
    } finally {
      await server.stop()
    }
  })

  function redisUrl(): string {
    const url = at.environment['REDIS_URL']
    if (url === undefined) throw new Error('Redis has no address.')
    return url
  }
})
