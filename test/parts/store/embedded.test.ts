import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EmbeddedPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { attachPostgres, startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { asNobody } from '../../../src/parts/store/embedded/privileges.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { keptClusters } from '../../support/run/kept-clusters.ts'

const logger = openLogger({ level: 'silent', part: 'test' })
const migrations = new URL('../../../src/parts/store/postgres/schema/migrations/', import.meta.url)
let scratch = ''
const running: EmbeddedPostgres[] = []

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sluice-pg-'))
})

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop(2_000)
  rmSync(scratch, { recursive: true, force: true })
})

async function start(
  directory = join(scratch, 'postgres'),
  kept = keptClusters,
): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ directory, logger, durable: false, kept })
  running.push(server)
  return server
}

async function ask(url: string, text: string): Promise<readonly unknown[]> {
  const db = openDb({ url, connectionsMax: 1, name: 'test' })
  try {
    return await db.query({ text, values: [] })
  } finally {
    await db.close()
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}

describe('the embedded PostgreSQL', () => {
  it('answers on a Unix socket, and keeps what was written over a restart', async () => {
    const first = await start()
    expect(await ask(first.url, 'create table kept as select 42 as answer')).toEqual([])
    expect(await ask(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await ask(first.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)

    const second = await start()
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(statSync(join(scratch, 'postgres/socket')).mode & 0o777).toBe(0o700)
  })

  it('starts where only this user can enter, and where the path is too long for a socket', async () => {
    const closed = join(scratch, 'closed', 'x'.repeat(120))
    mkdirSync(closed, { recursive: true, mode: 0o700 })
    const server = await start(closed)
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(server.url).toContain(encodeURIComponent(join(tmpdir(), 'sluice-')))
    const socket = new URL(server.url).searchParams.get('host') ?? ''
    await server.stop()
    rmSync(socket, { recursive: true })
  })

  it('is found by others while it runs, and only then', async () => {
    const directory = join(scratch, 'postgres')
    expect(await attachPostgres(directory)).toBeNull()
    const server = await start(directory)
    expect(await attachPostgres(directory)).toBe(server.url)
    await server.stop()
    expect(await attachPostgres(directory)).toBeNull()
  })

  it('comes back when it is killed', async () => {
    const server = await start()
    await ask(server.url, 'create table kept as select 42 as answer')
    const killed = server.pid
    process.kill(killed, 'SIGKILL')
    await eventually(() => server.restarts === 1 && server.ready)
    expect(server.pid).not.toBe(killed)
    expect(await ask(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('comes back when it is killed as soon as it has become ready', async () => {
    const server = await start()
    const killed = killNextReady(server.pid)
    process.kill(server.pid, 'SIGKILL')
    const pid = await killed
    await expect.poll(() => server.ready && server.pid !== pid).toBe(true)
    expect(server.restarts).toBe(2)
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('stops for good while it is coming back', async () => {
    const server = await start()
    process.kill(server.pid, 'SIGKILL')
    await eventually(() => !server.ready)
    await server.stop()
    expect(isAlive(server.pid)).toBe(false)
    expect(await attachPostgres(join(scratch, 'postgres'))).toBeNull()
  })

  it('ends a server that outlived its owner, instead of fighting it', async () => {
    const first = await start()
    const [program = '', ...rest] = readFileSync(`/proc/${first.pid}/cmdline`, 'utf8').split('\0')
    await first.stop()
    const prefix = process.getuid?.() === 0 ? ['--user', '--map-user=65534'] : []
    const stray = spawn('unshare', [...prefix, program, ...rest.slice(0, -1)], { stdio: 'ignore' })
    await eventually(async () => (await attachPostgres(join(scratch, 'postgres'))) !== null)

    const second = await start()
    await eventually(() => stray.exitCode !== null)
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts over a pid file whose pid is somebody else by now', async () => {
    const server = await start()
    await server.stop()
    const data = join(scratch, 'postgres/data')
    const bystander = spawn('sleep', ['60'])
    const socket = join(scratch, 'postgres/socket')
    const lines = [bystander.pid, data, 1, 5432, socket, '', '  1  1', 'ready   ', '']
    writeFileSync(join(data, 'postmaster.pid'), lines.join('\n'))
    expect(await attachPostgres(join(scratch, 'postgres'))).toBeNull()
    const next = await start()
    expect(await ask(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
    bystander.kill()
  })

  it('begins anew after a crash in the middle of making the cluster', async () => {
    mkdirSync(join(scratch, 'postgres/data.new/base'), { recursive: true })
    const server = await start()
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(join(scratch, 'postgres')).sort()).toEqual(['data', 'log', 'socket'])
  })

  it('begins with a copy of the cluster that the build keeps, for this user alone', async () => {
    const server = await start()
    expect(await ask(server.url, 'select max(number) as newest from migrations')).toEqual([
      { newest: readdirSync(migrations).length },
    ])
    expect(await ask(server.url, 'select * from installation')).toEqual([])
    const mode = (path: string) => statSync(join(scratch, 'postgres/data', path)).mode & 0o777
    expect([mode('.'), mode('base'), mode('PG_VERSION')]).toEqual([0o700, 0o700, 0o600])
  })

  it('makes its own where none of these programs is kept, or none that can be copied', async () => {
    const [kept = ''] = readdirSync(keptClusters)
    const broken = join(scratch, 'broken')
    mkdirSync(broken)
    // No folder: a user who may not read it is told the same.
    writeFileSync(join(broken, kept), '')
    mkdirSync(join(scratch, 'others', `${kept}0`), { recursive: true })
    for (const folder of ['broken', 'others', 'nowhere']) {
      const server = await start(join(scratch, `at-${folder}`), join(scratch, folder))
      const tables = "select from pg_tables where tablename = 'migrations'"
      expect(await ask(server.url, tables)).toEqual([])
    }
  })

  it.runIf(process.getuid?.() === 0)('runs as nobody where namespaces are forbidden', async () => {
    const directory = join(scratch, 'postgres')
    const server = await startPostgres({
      directory,
      logger,
      durable: false,
      privileges: asNobody,
      kept: keptClusters,
    })
    running.push(server)
    expect(await ask(server.url, 'create table kept as select 42 as answer')).toEqual([])
    await server.stop()
    expect(statSync(join(directory, 'data')).uid).toBe(65_534)

    // Back in a namespace, the files change hands again.
    const next = await start(directory)
    expect(await ask(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })
})

/**
 * Kills the server after the one `before` when it says it is ready, and lets who asks know of
 * neither before both have come: of the word and then, too late, of the end. Answers its pid.
 */
function killNextReady(before: number): Promise<number> {
  const { readFile } = files
  return new Promise((done) => {
    const killing = async (...of: Parameters<typeof readFile>) => {
      const text = await readFile(...of)
      const pid = Number.parseInt(String(text), 10)
      const isOfServer = String(of[0]).endsWith('postmaster.pid')
      if (!isOfServer || pid === before || !String(text).includes('ready')) return text
      files.readFile = readFile
      syncBuiltinESMExports()
      process.kill(pid, 'SIGKILL')
      while (isAlive(pid)) await sleep(5)
      done(pid)
      return text
    }
    files.readFile = killing as typeof readFile
    syncBuiltinESMExports()
  })
}
