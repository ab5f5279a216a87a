import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attachPostgres } from '../src/parts/store/embedded/postgres.ts'
import { openDb } from '../src/parts/store/postgres/connection/client.ts'
import type { Server } from './support/process/server.ts'
import {
  launch,
  processesNaming,
  scratchDirectory,
  sluice,
  startServer,
} from './support/process/server.ts'

let scratch: ReturnType<typeof scratchDirectory>
const servers: Server[] = []

beforeEach(() => {
  scratch = scratchDirectory()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL')
  await eventually(() => processesNaming(scratch.path).length === 0)
  scratch.remove()
})

async function start(environment: Record<string, string> = {}): Promise<Server> {
  const server = await startServer({ DATA_DIR: scratch.path, ...environment })
  servers.push(server)
  return server
}

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}

const get = (server: Server, path: string) => fetch(`${server.ready['ops_url']}${path}`)
const isReady = (server: Server) => get(server, '/readyz').then(({ status }) => status === 200)
const postgresPid = () => processesNaming(`-D\0${scratch.path}/postgres/data`)[0] ?? 0

async function ask(text: string): Promise<readonly unknown[]> {
  const url = await attachPostgres(`${scratch.path}/postgres`)
  const db = openDb({ url: url ?? '', connectionsMax: 1, name: 'test' })
  try {
    return await db.query({ text, values: [] })
  } finally {
    await db.close()
  }
}

describe('the server', () => {
  it('starts on an empty directory, and stops on SIGTERM without leaving anything running', async () => {
    const server = await start()
    expect(server.ready).toMatchObject({
      business_id: expect.stringMatching(/^bus_/),
      api_key: expect.stringMatching(/^slc_test_rw_/),
    })
    expect(await (await get(server, '/healthz')).json()).toEqual({ alive: true })
    // On a busy machine the engine may be late with an answer once.
    await expect
      .poll(async () => (await get(server, '/readyz')).json())
      .toMatchObject({
        ready: true,
        checks: { server: { state: 'ok' }, engine: { state: 'ok' } },
      })
    const metrics = async () => (await get(server, '/metrics')).text()
    await expect.poll(metrics).toContain('sluice_http_requests_total')
    await expect.poll(metrics).toContain('sluice_billing_events_total')

    // It begins with the cluster that the build keeps, which has no databases to make others of.
    expect(await ask('select datname from pg_database')).toEqual([{ datname: 'postgres' }])

    const ended = await server.stop()
    expect([ended.status, ended.signal]).toEqual([0, null])
    expect(ended.out.trim().split('\n')).toHaveLength(1)
    expect(ended.error).not.toContain('slc_test')
    expect(processesNaming(scratch.path)).toEqual([])
  })

  it('finds everything as it was at its second start, and shows no key again', async () => {
    const first = await start()
    expect((await first.stop('SIGINT')).status).toBe(0)
    const second = await start()
    expect(second.ready).toMatchObject({ ready: true, business_id: null, api_key: null })
    expect(await ask('select name, rate_tier from businesses')).toEqual([
      { name: 'Sample business', rate_tier: 'unlimited' },
    ])
  })

  it('takes PostgreSQL with it when it is killed, and starts again at once', async () => {
    const first = await start()
    const pid = postgresPid()
    expect(pid).toBeGreaterThan(0)
    await first.stop('SIGKILL')
    const second = await start()
    await eventually(() => isReady(second))
    expect(postgresPid()).not.toBe(pid)
    expect((await second.stop()).status).toBe(0)
  })

  it('starts PostgreSQL again when that is killed', async () => {
    const server = await start()
    const pid = postgresPid()
    expect(pid).toBeGreaterThan(0)
    process.kill(pid, 'SIGKILL')
    await eventually(() => ![0, pid].includes(postgresPid()))
    await eventually(() => isReady(server))
    expect((await server.stop()).status).toBe(0)
  })

  it('stops cleanly when it is told so while it starts', async () => {
    const { child, ended } = launch(['serve'], { DATA_DIR: scratch.path })
    await eventually(() => postgresPid() !== 0)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0, out: '' })
    expect(processesNaming(scratch.path)).toEqual([])
  })
})

describe('the server refuses in one sentence, with status 2,', () => {
  const oneSentence = /^[^\n]+\.\n$/
  const serve = (environment: Record<string, string> = {}) =>
    sluice(['serve'], { LOG_LEVEL: 'silent', DATA_DIR: scratch.path, ...environment })

  it('a data directory that another server uses, and does that one no harm', async () => {
    const first = await start()
    const second = await serve()
    expect([second.status, second.out]).toEqual([2, ''])
    expect(second.error).toMatch(oneSentence)
    expect(second.error).toContain('Another server is running')
    await eventually(() => isReady(first))
  })

  it.each(['PORT', 'LIVE_PORT', 'OPS_PORT'])('a taken %s', async (name) => {
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : null
    const ended = await serve({ [name]: String(port) })
    taken.close()
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toMatch(oneSentence)
    expect(ended.error).toContain(`${name} ${port} on 127.0.0.1 is taken`)
  })

  it('a directory that cannot be made', async () => {
    const ended = await serve({ DATA_DIR: '/proc/nowhere' })
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toMatch(oneSentence)
    expect(ended.error).toContain('DATA_DIR /proc/nowhere cannot be written')
  })

  it('a database that is newer than the code', async () => {
    const first = await start()
    await ask(`insert into migrations (number, digest) values (9999, 'of tomorrow')`)
    await first.stop()
    const ended = await serve()
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toMatch(oneSentence)
    expect(ended.error).toContain('newer version')
    expect(processesNaming(scratch.path)).toEqual([])
  })

  it('a setting that cannot work', async () => {
    const ended = await serve({ PORT: 'http' })
    expect([ended.status, ended.out]).toEqual([2, ''])
    expect(ended.error).toMatch(oneSentence)
  })
})
