import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import {
  ensureInstallation,
  pinPartitions,
} from '../../../src/parts/store/postgres/schema/installation.ts'
import {
  migrate,
  ourMigrations,
  StoreError,
} from '../../../src/parts/store/postgres/schema/migrate.ts'

const one = { number: 1, text: 'create table one (a integer); insert into one (a) values (1);' }
const two = { number: 2, text: 'alter table one add column b integer;' }
const broken = { number: 2, text: 'alter table one add column c integer; select nonsense;' }

describe('migrations', () => {
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  const made: string[] = []
  const open: Db[] = []
  let admin: Db
  beforeAll(() => {
    admin = openDb({ url: server, connectionsMax: 1, name: 'migrate' })
  })
  afterAll(async () => {
    for (const db of open) await db.close()
    for (const name of made)
      await admin.query({ text: `drop database ${name} with (force)`, values: [] })
    await admin.close()
  })

  async function emptyDatabase(): Promise<Db> {
    const name = `migrate_${randomBytes(8).toString('hex')}`
    await admin.query({ text: `create database ${name}`, values: [] })
    made.push(name)
    const url = new URL(server)
    url.pathname = `/${name}`
    const db = openDb({ url: url.href, connectionsMax: 4, name: 'migrate' })
    open.push(db)
    return db
  }

  it('are applied in order, each once', async () => {
    const db = await emptyDatabase()
    expect(await migrate(db, { apply: true, migrations: [one] })).toEqual({ from: 0, to: 1 })
    expect(await migrate(db, { apply: true, migrations: [one, two] })).toEqual({ from: 1, to: 2 })
    expect(await migrate(db, { apply: true, migrations: [one, two] })).toEqual({ from: 2, to: 2 })
    expect(await db.query({ text: 'select * from one', values: [] })).toEqual([{ a: 1, b: null }])
  })

  it('are applied once by processes that start together', async () => {
    const db = await emptyDatabase()
    const migrations = [one, two]
    await Promise.all([1, 2, 3, 4].map(() => migrate(db, { apply: true, migrations })))
    expect(await db.query({ text: 'select * from one', values: [] })).toEqual([{ a: 1, b: null }])
  })

  it('leave nothing behind when they fail', async () => {
    const db = await emptyDatabase()
    await expect(migrate(db, { apply: true, migrations: [one, broken] })).rejects.toThrow(
      'nonsense',
    )
    expect(await db.query({ text: 'select * from one', values: [] })).toEqual([{ a: 1 }])
    expect(await migrate(db, { apply: true, migrations: [one, two] })).toEqual({ from: 1, to: 2 })
  })

  it('refuse a database that is newer than the code, or was made by other files', async () => {
    const db = await emptyDatabase()
    await migrate(db, { apply: true, migrations: [one, two] })
    const older = migrate(db, { apply: true, migrations: [one] })
    await expect(older).rejects.toThrow(StoreError)
    await expect(older).rejects.toThrow('used by a newer version')
    const changed = { ...two, text: `${two.text} --` }
    await expect(migrate(db, { apply: true, migrations: [one, changed] })).rejects.toThrow(
      StoreError,
    )
  })

  it('only look when told to', async () => {
    const db = await emptyDatabase()
    await expect(migrate(db, { apply: false, migrations: [one] })).rejects.toThrow('sluice migrate')
    await migrate(db, { apply: true, migrations: [one] })
    expect(await migrate(db, { apply: false, migrations: [one] })).toEqual({ from: 1, to: 1 })
  })

  it('of ours make an installation that is pinned once', async () => {
    const db = await emptyDatabase()
    await migrate(db, { apply: true })
    expect((await ourMigrations()).length).toBeGreaterThan(0)
    const first = await ensureInstallation(db)
    expect(first.fingerprintKey).toHaveLength(16)
    expect(first.partitions).toBeNull()
    expect(await ensureInstallation(db)).toEqual(first)

    await pinPartitions(db, 4)
    await pinPartitions(db, 4)
    await expect(pinPartitions(db, 16)).rejects.toThrow(/16 partitions .* made for 4/)
    expect(await ensureInstallation(db)).toEqual({ ...first, partitions: 4 })
  })
})
