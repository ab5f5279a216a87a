import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { StorePromise } from '../../../src/parts/postgres-promises.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { brokenPromises, verifying } from '../../../src/parts/store/postgres/connection/promises.ts'
import { launch, scratchDirectory, sluice } from '../../support/process/server.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestPostgres } from '../../support/servers/postgres.ts'
import { postgresMissing, startPostgres } from '../../support/servers/postgres.ts'

const ask = (db: Db, text: string) => db.query<Record<string, unknown>>({ text, values: [] })

describeWith(postgresMissing, 'the promises of PostgreSQL', () => {
  const scratch = scratchDirectory()
  let postgres: TestPostgres
  let admin: Db
  beforeAll(async () => {
    postgres = await startPostgres({ config: { fsync: 'on', full_page_writes: 'on' } })
    admin = openDb({ url: postgres.url, connectionsMax: 1, name: 'admin' })
  })
  beforeEach(async () => {
    await ask(admin, 'alter database postgres reset all')
    await ask(admin, 'alter role postgres reset all')
    await ask(admin, 'alter system reset all')
    await ask(admin, 'select pg_reload_conf()')
  })
  afterAll(async () => {
    await admin?.close()
    await postgres?.stop()
    scratch.remove()
  })

  const settings = () => ({
    ...postgres.settings,
    DATABASE_ALLOW_OFF: '',
    DATA_DIR: scratch.path,
    LOG_LEVEL: 'fatal',
  })

  /** What a new connection says: null when it serves. */
  async function refused(allowedOff: readonly StorePromise[] = []): Promise<unknown> {
    const db = openDb({ url: postgres.url, connectionsMax: 1, name: 'new', allowedOff })
    try {
      return await ask(db, 'select 1').then(
        () => null,
        (error: unknown) => error,
      )
    } finally {
      await db.close()
    }
  }

  it('are asked of every new connection, for its database and its role', async () => {
    expect(await refused()).toBeNull()
    for (const whose of ['database', 'role']) {
      await ask(admin, `alter ${whose} postgres set synchronous_commit = off`)
      const error = await refused()
      expect(error).toBeInstanceOf(Fault)
      expect(error).toMatchObject({ code: 'UNAVAILABLE' })
      expect((error as Fault).message).toContain('set synchronous_commit = on')
      expect(await refused(['synchronous_commit'])).toBeNull()
      expect(await refused(['fsync', 'full_page_writes'])).not.toBeNull()
      await ask(admin, `alter ${whose} postgres reset synchronous_commit`)
      expect(await refused()).toBeNull()
    }
    for (const kept of ['local', 'remote_write', 'remote_apply']) {
      await ask(admin, `alter role postgres set synchronous_commit = ${kept}`)
      expect(await refused()).toBeNull()
    }
  })

  it('that change while it is used show in what is asked again', async () => {
    const db = openDb({ url: postgres.url, connectionsMax: 1, name: 'used', allowedOff: [] })
    expect(await brokenPromises(db, [])).toBeNull()
    await ask(admin, 'alter role postgres set synchronous_commit = off')
    // This connection has it as it was.
    expect(await brokenPromises(db, [])).toBeNull()
    await ask(db, 'set synchronous_commit = off')
    expect(await brokenPromises(db, [])).toContain('DATABASE_ALLOW_OFF=synchronous_commit')
    await db.close()
  })

  it('end a start with a sentence that says how to mend it, unless they are allowed off', {
    timeout: 120_000,
  }, async () => {
    await ask(admin, 'alter database postgres set synchronous_commit = off')
    for (const words of [['migrate'], ['serve', '--json'], ['verify']]) {
      const { status, error } = await sluice(words, settings())
      expect([words, status, error]).toEqual([
        words,
        2,
        expect.stringContaining('The database runs with synchronous_commit off'),
      ])
      expect(error).toContain('DATABASE_ALLOW_OFF=synchronous_commit')
    }
    const allowed = { ...settings(), DATABASE_ALLOW_OFF: 'synchronous_commit' }
    expect(await sluice(['migrate'], allowed)).toMatchObject({ status: 0 })
    const wrong = await launch(['migrate'], { ...settings(), DATABASE_ALLOW_OFF: 'wal' }).ended
    expect(wrong).toMatchObject({ status: 2, error: expect.stringContaining('DATABASE_ALLOW_OFF') })
  })
})

describeWith(postgresMissing, 'a PostgreSQL that does not sync', () => {
  it('is refused for each of what is off', { timeout: 60_000 }, async () => {
    const postgres = await startPostgres()
    const db = openDb({ url: postgres.url, connectionsMax: 1, name: 'off' })
    const broken = await brokenPromises(db, [])
    expect(broken).toContain('DATABASE_ALLOW_OFF=fsync,full_page_writes')
    expect(broken).toContain('set fsync = on, full_page_writes = on')
    expect(await brokenPromises(db, ['full_page_writes'])).toContain('DATABASE_ALLOW_OFF=fsync.')
    expect(await brokenPromises(db, ['full_page_writes', 'fsync'])).toBeNull()
    await db.close()
    await postgres.stop()
  })
})

it('asking for promises survives a connection that breaks meanwhile', async () => {
  const client = Object.assign(new EventEmitter(), {
    query: async () => {
      client.emit('error', new Error('It broke.'))
      throw new Error('It broke.')
    },
  })
  const error = await new Promise((done) => verifying([])(client, done))
  expect(error).toMatchObject({ message: 'It broke.' })
  expect(client.listenerCount('error')).toBe(0)
})
