import { expect, it } from 'vitest'
import { launch } from '../../support/process/server.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { freePort } from '../../support/servers/ports.ts'
import { at } from './here.ts'
import { patient, processes, rigMissing } from './rig.ts'

/** The promise is 10 s; doubled for a machine that has other things to do. */
const stopMsMax = 20_000

describeWith(rigMissing, 'SIGTERM', () => {
  const names = ['kafka', 'redis', 'postgres'] as const
  it.each(names)('ends every role in time while %s hangs', { timeout: 600_000 }, async (name) => {
    const proxy = at.proxies[name]
    proxy.stall(true)
    const took = await Promise.all(Object.keys(processes).map(endOf))
    for (const ms of took) expect(ms).toBeLessThan(stopMsMax)
    proxy.stall(false)
    for (const [each, roles] of Object.entries(processes)) await at.fleet.start(each, roles)
    await at.load.progress()
  })

  async function endOf(name: string): Promise<number> {
    const begun = performance.now()
    await at.fleet.stop(name, 'SIGTERM')
    return performance.now() - begun
  }
})

describeWith(rigMissing, 'a process that starts before its servers', () => {
  const awaited = [
    ['the database', 'postgres', 'sweeps'],
    ['Kafka', 'kafka', 'billing'],
  ] as const
  it.each(awaited)(
    'waits for %s, says so, and comes up by itself',
    {
      timeout: 600_000,
    },
    async (what, server, roles) => {
      const proxy = at.proxies[server]
      proxy.refuse(true)
      proxy.cut()
      const { process, readyz } = await starting(roles)
      await expect.poll(readyz, patient).toMatchObject({
        ready: false,
        checks: { server: { state: 'down', reason: expect.stringContaining(`waits for ${what}`) } },
      })
      proxy.refuse(false)
      await expect.poll(readyz, patient).toMatchObject({ ready: true })
      process.child.kill('SIGTERM')
      expect((await process.ended).status).toBe(0)
      await at.load.progress()
    },
  )

  it.each(awaited)(
    'is ended by SIGTERM while %s hangs',
    {
      timeout: 600_000,
    },
    async (_, server, roles) => {
      const proxy = at.proxies[server]
      proxy.stall(true)
      const { process, readyz } = await starting(roles)
      await expect.poll(readyz, patient).toMatchObject({ ready: false })
      process.child.kill('SIGTERM')
      const { status, error } = await process.ended
      expect([status, error]).toEqual([0, expect.not.stringContaining('cannot go on')])
      proxy.stall(false)
      await at.load.progress()
    },
  )

  it('comes up without Redis, which nothing is accepted by', { timeout: 600_000 }, async () => {
    at.proxies.redis.refuse(true)
    at.proxies.redis.cut()
    const { process, readyz } = await starting('http')
    await expect.poll(readyz, patient).toMatchObject({
      ready: true,
      checks: { dedupe: { state: 'degraded' } },
    })
    at.proxies.redis.refuse(false)
    await expect.poll(readyz, patient).toMatchObject({ checks: { dedupe: { state: 'ok' } } })
    process.child.kill('SIGTERM')
    expect((await process.ended).status).toBe(0)
  })

  async function starting(roles: string) {
    const port = await freePort()
    const settings = { ...at.fleet.environment, OPS_PORT: `${port}` }
    const process = launch(['serve', '--json', '--roles', roles], settings)
    const readyz = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      return answer === null ? {} : answer.json()
    }
    return { process, readyz }
  }
})
