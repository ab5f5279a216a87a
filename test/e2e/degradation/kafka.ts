import { expect, it } from 'vitest'
import { describeWith } from '../../support/servers/describe-with.ts'
import { at } from './here.ts'
import { patient, rigMissing } from './rig.ts'

/** The promise is 5 s; doubled for a machine that has other things to do. */
const soon = 10_000

describeWith(rigMissing, 'while Kafka', () => {
  const troubles = [
    ['is gone', () => at.kafka.kill(0), () => at.kafka.start(0)],
    ['hangs', () => at.kafka.freeze(0), () => at.kafka.thaw(0)],
  ] as const
  it.each(troubles)(
    '%s, ingestion answers 503 in time, and is back by itself',
    {
      timeout: 600_000,
    },
    async (_, begin, end) => {
      // Whatever fails here, the suites after it find everything mended.
      try {
        await begin()
        for (let turn = 0; turn < 5; turn += 1) {
          const reply = await at.send()
          expect(reply).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
          expect(Number(reply.retryAfter)).toBeGreaterThan(0)
          expect(reply.took).toBeLessThan(soon)
        }
        const why = {
          http: { log: { state: 'down' } },
          billing: { engine: { state: 'down', reason: expect.stringContaining('log: ') } },
        }
        for (const [name, checks] of Object.entries(why)) {
          await expect
            .poll(() => at.readyz(name), patient)
            .toMatchObject({ status: 503, ready: false, checks })
        }
        // Everything else goes on.
        expect(await at.get('/meters')).toMatchObject({ status: 200 })
      } finally {
        await end()
      }
      await expect.poll(async () => (await at.send()).status, patient).toBe(200)
      for (const name of ['http', 'billing']) {
        await expect.poll(async () => (await at.readyz(name)).status, patient).toBe(200)
      }
      await at.load.progress()
    },
  )
})
