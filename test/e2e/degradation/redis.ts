import { expect, it } from 'vitest'
import { describeWith } from '../../support/servers/describe-with.ts'
import { at } from './here.ts'
import { patient, rigMissing } from './rig.ts'

describeWith(rigMissing, 'while Redis', () => {
  const troubles = [
    ['is gone', () => at.redis.kill(), () => at.redis.start()],
    ['hangs', () => at.redis.freeze(), () => at.redis.thaw()],
  ] as const
  it.each(troubles)(
    '%s, events are accepted, measuring waits and says so, and goes on',
    {
      timeout: 600_000,
    },
    async (_, begin, end) => {
      // Whatever fails here, the suites after it find everything mended.
      try {
        await begin()
        await expect
          .poll(() => at.readyz('billing'), patient)
          .toMatchObject({
            status: 503,
            ready: false,
            checks: { engine: { state: 'down', reason: expect.stringMatching(/dedupe: .*Redis/) } },
          })
        await expect
          .poll(() => at.readyz('http'), patient)
          .toMatchObject({
            status: 200,
            ready: true,
            checks: { dedupe: { state: 'degraded', reason: expect.stringContaining('Redis') } },
          })
        for (let turn = 0; turn < 3; turn += 1)
          expect(await at.send()).toMatchObject({ status: 200 })
        // Nothing is measured while it is unknown what was measured before.
        await expect
          .poll(() => at.fleet.logged('billing'), patient)
          .toContain('measuring waits and tries again')
      } finally {
        await end()
      }
      await expect.poll(async () => (await at.readyz('billing')).status, patient).toBe(200)
      await at.load.progress()
    },
  )
})
