import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../support/servers/describe-with.ts'
import { openRig, patient, rigMissing } from './degradation/rig.ts'

describeWith(rigMissing, 'one broker of three', () => {
  let at: Awaited<ReturnType<typeof openRig>>
  beforeAll(async () => {
    at = await openRig(3)
  }, 600_000)
  afterAll(() => at?.close(), 120_000)

  it('is gone, hangs, and comes back: ingestion goes on', { timeout: 900_000 }, async () => {
    await at.kafka.kill(1)
    await expect.poll(async () => (await at.send()).status, patient).toBe(200)
    await at.load.progress()
    await at.kafka.start(1)
    await at.load.progress()
    await at.kafka.freeze(2)
    await expect.poll(async () => (await at.send()).status, patient).toBe(200)
    await at.load.progress()
    await at.kafka.thaw(2)
    await at.load.progress()
    for (const name of ['http', 'billing', 'others']) {
      await expect.poll(() => at.readyz(name), patient).toMatchObject({ status: 200 })
    }
    const { accepted, refused } = await at.load.end()
    expect(refused.filter((status) => status !== 503)).toEqual([])
    await expect.poll(() => at.load.counted(), patient).toBe(accepted)
    await expect.poll(() => at.fleet.unaccounted(), patient).toBe(0)
  })
})
