import { describe, expect, it } from 'vitest'
import { down, openChecks } from '../../src/runtime/checks.ts'
import { openOpsServer } from '../../src/runtime/ops-server.ts'
import { assertPortFree } from '../../src/runtime/ports.ts'
import { freePort } from '../support/servers/ports.ts'

const host = '127.0.0.1'
const open = (checks = openChecks(), port = 0) =>
  openOpsServer({ host, port, checks, metrics: async () => 'up 1\n' })

describe('the ops server', () => {
  it('serves metrics, life and readiness, and nothing else', async () => {
    const checks = openChecks()
    const server = await open(checks)
    const get = (path: string, method = 'GET') =>
      fetch(`http://${host}:${server.port}${path}`, { method })

    expect(await (await get('/metrics')).text()).toBe('up 1\n')
    expect(await (await get('/healthz')).json()).toEqual({ alive: true })
    const ready = await get('/readyz?verbose')
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, checks: {} }])

    checks.register('store', () => down('It is away.'))
    const notReady = await get('/readyz')
    expect([notReady.status, await notReady.json()]).toEqual([
      503,
      { ready: false, checks: { store: { state: 'down', reason: 'It is away.' } } },
    ])
    expect([ready, notReady].map(({ headers }) => headers.get('retry-after'))).toEqual([null, '1'])
    expect((await get('/customers')).status).toBe(404)
    expect((await get('/metrics', 'POST')).status).toBe(405)
    await server.close()
  })

  it('refuses a port that is taken, and so does the look before', async () => {
    // Of those that the system gives to nobody meanwhile.
    const first = await open(openChecks(), await freePort())
    const sentence = `OPS_PORT ${first.port} on ${host} is taken: stop what uses it, or set OPS_PORT.`
    await expect(open(openChecks(), first.port)).rejects.toThrow(sentence)
    const setting = { name: 'OPS_PORT', host, port: first.port }
    await expect(assertPortFree(setting)).rejects.toThrow(sentence)
    await first.close()
    await assertPortFree(setting)
  })

  it('refuses an address of another machine', async () => {
    const elsewhere = { name: 'PORT', host: '192.0.2.1', port: 8080 }
    await expect(assertPortFree(elsewhere)).rejects.toThrow('HOST 192.0.2.1 is not an address')
  })
})
