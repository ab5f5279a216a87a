import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import type { TestPostgres } from '../../support/servers/postgres.ts'
import { postgresMissing, startPostgres } from '../../support/servers/postgres.ts'
import type { TestProxy } from '../../support/servers/proxy.ts'
import { startProxy } from '../../support/servers/proxy.ts'

const ask = (db: Db, text: string) => db.query<Record<string, unknown>>({ text, values: [] })
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)
const unavailable = (error: unknown) => error instanceof Fault && error.code === 'UNAVAILABLE'

describeWith(postgresMissing, 'a statement with a deadline', () => {
  let postgres: TestPostgres
  let proxy: TestProxy
  let db: Db
  let watching: Db
  beforeAll(async () => {
    postgres = await startPostgres()
    proxy = await startProxy({ host: '127.0.0.1', port: postgres.port })
  })
  beforeEach(() => {
    const url = new URL(postgres.url)
    url.port = `${proxy.port}`
    // One connection: what comes after a late answer would be given that answer.
    db = openDb({ url: url.href, connectionsMax: 1, name: 'late', deadlineMs: 500 })
    watching = openDb({ url: postgres.url, connectionsMax: 1, name: 'watching' })
  })
  afterEach(async () => {
    proxy.stall(false)
    await Promise.all([db.close(), watching.close()])
  })
  afterAll(async () => {
    await proxy?.stop()
    await postgres?.stop()
  })

  /** The server may be slow to let in those who come: they try again. */
  async function answered(text: string) {
    for (;;) {
      const rows = await ask(db, text).catch((error: unknown) => error)
      if (!unavailable(rows)) return rows
    }
  }

  it('is cancelled by the server: nothing of it goes on there', async () => {
    await answered('select 1')
    const late = await failure(ask(db, 'select pg_sleep(600)'))
    expect(late).toSatisfy(unavailable)
    expect((late as Fault).retryAfterSeconds).toBe(1)
    expect(await answered(`select 'next' as one`)).toEqual([{ one: 'next' }])
    const going = `select from pg_stat_activity where query like '%sleep(600)%' and state = 'active'
      and pid <> pg_backend_pid()`
    await expect.poll(() => ask(watching, going)).toEqual([])
  })

  it('ends when the server is stopped, and is answered by it once it goes on', async () => {
    await answered('select 1')
    await postgres.freeze()
    expect(await failure(ask(db, `select 'frozen' as one`))).toSatisfy(unavailable)
    await postgres.thaw()
    expect(await answered(`select 'thawed' as one`)).toEqual([{ one: 'thawed' }])
  })

  it('ends when nothing comes through, and no late answer is taken for another one', async () => {
    await answered(`select 'before' as one`)
    proxy.stall(true)
    expect(await failure(ask(db, `select 'lost' as one`))).toSatisfy(unavailable)
    // The next one finds no way either: it does not wait behind the first.
    expect(await failure(ask(db, `select 'lost, too' as one`))).toSatisfy(unavailable)
    proxy.stall(false)
    expect(await answered(`select 'after' as one`)).toEqual([{ one: 'after' }])
  })

  it('ends its transaction, of which nothing is kept', async () => {
    await ask(watching, 'create table kept (one integer)')
    await answered('select 1')
    const half = db.transaction(async (tx) => {
      await ask(tx, 'insert into kept (one) values (1)')
      proxy.stall(true)
      await ask(tx, 'insert into kept (one) values (2)')
    })
    expect(await failure(half)).toSatisfy(unavailable)
    proxy.stall(false)
    await expect
      .poll(() => failure(db.transaction((tx) => ask(tx, 'insert into kept (one) values (3)'))), {
        timeout: 60_000,
      })
      .toBeNull()
    expect(await ask(watching, 'select one from kept')).toEqual([{ one: 3 }])
  })

  it('ends a transaction that has waited for its beginning', async () => {
    await answered('select 1')
    proxy.stall(true)
    expect(await failure(db.transaction((tx) => ask(tx, 'select 1')))).toSatisfy(unavailable)
  })
})
