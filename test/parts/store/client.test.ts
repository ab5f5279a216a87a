import { AssertionError } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

let scratch: ScratchDatabase
beforeAll(async () => {
  scratch = await scratchDatabase()
})
afterAll(() => scratch.drop())

const ask = (db: Db, text: string) => db.query<Record<string, unknown>>({ text, values: [] })
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)
const unavailable = (error: unknown) => error instanceof Fault && error.code === 'UNAVAILABLE'

describe('the store is away', () => {
  it('when there is no server', async () => {
    const db = openDb({
      url: 'postgres://nobody@127.0.0.1:1/none',
      connectionsMax: 1,
      name: 'test',
    })
    expect(await failure(ask(db, 'select 1'))).toSatisfy(unavailable)
    await db.close()
  })

  it('when the server ends the connection in the middle of a query', async () => {
    const [row] = await ask(scratch.db, 'select pg_backend_pid() as pid')
    expect(row?.['pid']).toBeTypeOf('number')
    const sleeping = failure(ask(scratch.db, `select 'cut', pg_sleep(60)`))
    for (let cut = 0; cut === 0; ) {
      const found = await ask(
        scratch.db,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where query like 'select ''cut''%' and state = 'active' and datname = current_database()`,
      )
      cut = found.length
    }
    expect(await sleeping).toSatisfy(unavailable)
    expect(await ask(scratch.db, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  // The system's own error codes, such as EPIPE, look like SQLSTATEs.
  it('when the connection breaks just before a query', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-pg-'))
    const authenticated = Buffer.from('52000000080000000000', 'hex').subarray(0, 9)
    const ready = Buffer.from('5a0000000549', 'hex')
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(Buffer.concat([authenticated, ready])))
    })
    await new Promise<void>((done) => server.listen(join(directory, '.s.PGSQL.5432'), done))
    const url = `postgres://nobody@localhost/none?host=${encodeURIComponent(directory)}`
    const db = openDb({ url, connectionsMax: 4, name: 'test' })
    for (let turn = 0; turn < 20; turn += 1) {
      const failures = await Promise.all(
        Array.from({ length: 4 }, () => failure(ask(db, 'select 1'))),
      )
      for (const one of failures) expect(one).toSatisfy(unavailable)
    }
    await db.close()
    server.close()
    rmSync(directory, { recursive: true })
  })

  it('when another transaction stands in the way for too long', async () => {
    await ask(scratch.db, 'create table contested (one integer)')
    await scratch.db.transaction(async (tx) => {
      await ask(tx, 'lock table contested')
      const waiting = scratch.db.transaction(async (other) => {
        await ask(other, `set local lock_timeout = '10ms'`)
        await ask(other, 'lock table contested')
      })
      expect(await failure(waiting)).toSatisfy(unavailable)
    })
  })
})

describe('the store is not away', () => {
  it('when a statement is wrong', async () => {
    expect(await failure(ask(scratch.db, 'select 1 / 0'))).not.toSatisfy(unavailable)
    expect(await failure(ask(scratch.db, 'select from'))).not.toSatisfy(unavailable)
  })

  it('when an answer cannot be read', async () => {
    const tooLarge = failure(ask(scratch.db, 'select 9223372036854775807::bigint'))
    expect(await tooLarge).toBeInstanceOf(AssertionError)
    expect(await ask(scratch.db, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a migration beside us', () => {
  it('changes what a prepared statement answers, and nobody notices', async () => {
    const { db } = scratch
    await ask(db, 'create table upgraded (id integer)')
    await ask(db, 'insert into upgraded (id) values (1)')
    const read = (from: Db) =>
      from.query<object>({ text: 'select * from upgraded where id = $1', values: [1] })
    // One connection, so that the statement is prepared where it is asked again.
    const one = openDb({ url: scratch.url, connectionsMax: 1, name: 'test' })
    expect(await read(one)).toEqual([{ id: 1 }])
    await ask(db, 'alter table upgraded add column note text')
    expect(await read(one)).toEqual([{ id: 1, note: null }])
    await ask(db, 'alter table upgraded drop column note')
    // A transaction is lost, and the next try succeeds.
    expect(await failure(one.transaction(read))).toSatisfy(unavailable)
    expect(await one.transaction(read)).toEqual([{ id: 1 }])
    await one.close()
  })
})

describe('closing', () => {
  it('lets what is under way come to its end', async () => {
    const db = openDb({ url: scratch.url, connectionsMax: 2, name: 'patient' })
    const asked = ask(db, 'select 1 as one from pg_sleep(0.2)')
    await db.close(60_000)
    expect(await asked).toEqual([{ one: 1 }])
  })

  it('ends what takes longer in the server too: a query, a wait for a lock, a transaction', async () => {
    const db = openDb({ url: scratch.url, connectionsMax: 3, name: 'cut short' })
    await ask(scratch.db, 'create table held (number integer)')
    await scratch.db.transaction(async (tx) => {
      await ask(tx, 'lock table held in access exclusive mode')
      const work = [
        ask(db, 'select pg_sleep(3600)'),
        ask(db, 'select * from held'),
        db.transaction((own) => ask(own, 'select pg_sleep(3600)')),
      ].map(failure)
      await vi.waitFor(async () => expect(await running()).toHaveLength(3), { timeout: 30_000 })
      await db.close(0)
      for (const cut of work) expect(await cut).toSatisfy(unavailable)
      await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 30_000 })
    })
  })

  const running = () =>
    ask(
      scratch.db,
      `select pid from pg_stat_activity
       where application_name like 'cut short %' and state = 'active'`,
    )
})
