import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/servers/describe-with.ts'
import { at } from './here.ts'
import { patient, rigMissing } from './rig.ts'

describeWith(rigMissing, 'the network', () => {
  it('is slow: all goes on', { timeout: 600_000 }, async () => {
    const { kafka, redis, postgres } = at.proxies
    for (const proxy of [kafka, redis, postgres]) proxy.delay(100)
    for (let turn = 0; turn < 3; turn += 1) expect(await at.send()).toMatchObject({ status: 200 })
    await at.load.progress()
    for (const proxy of [kafka, redis, postgres]) proxy.delay(0)
    await at.load.progress()
  })

  it('cuts every connection, again and again: nothing is lost', {
    timeout: 600_000,
  }, async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      for (const proxy of Object.values(at.proxies)) proxy.cut()
      await sleep(500)
    }
    await expect.poll(async () => (await at.send()).status, patient).toBe(200)
    await at.load.progress()
  })
})

describeWith(rigMissing, 'a process that is stopped', () => {
  it('and goes on after its partitions have moved commits nothing of what it held', {
    timeout: 600_000,
  }, async () => {
    await at.fleet.start('billing-2', 'billing')
    await at.load.progress()
    at.fleet.server('billing').child.kill('SIGSTOP')
    // Waits until the group has given all partitions to the other process, and that one has
    // measured.
    await at.load.progress()
    await at.load.progress()
    at.fleet.server('billing').child.kill('SIGCONT')
    await at.load.progress()
    await expect.poll(async () => (await at.readyz('billing')).status, patient).toBe(200)
    await at.fleet.stop('billing-2', 'SIGTERM')
    await at.load.progress()
  })
})
