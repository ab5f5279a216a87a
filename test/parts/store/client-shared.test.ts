import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { Db, DbPool } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import type { ScratchDatabase } from '../../support/store/database.ts'
import { scratchDatabase } from '../../support/store/database.ts'

const ask = (db: Db, text: string) => db.query<Record<string, unknown>>({ text, values: [] })
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)
const gone = new Fault('UNAVAILABLE', 'Nobody waits any more.')

describe('a pool within a use', () => {
  let scratch: ScratchDatabase
  let db: DbPool
  let held = 0
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  beforeEach(() => {
    db = openDb({ url: scratch.url, connectionsMax: 1, name: 'shared' })
    held = 0
  })
  afterEach(() => db.close())
  afterAll(() => scratch.drop())

  const enter = async () => {
    held += 1
    return () => {
      held -= 1
    }
  }
  const going = () =>
    ask(
      scratch.db,
      `select from pg_stat_activity where application_name like 'shared %' and state = 'active'`,
    )
  const sleeping = () => expect.poll(async () => (await going()).length).toBe(1)

  it('cancels a statement in the server when its caller is gone, and goes on with others', async () => {
    const over = new AbortController()
    const use = db.within({ enter, signal: over.signal })
    const asked = failure(ask(use, 'select pg_sleep(600)'))
    await sleeping()
    expect(held).toBe(1)
    over.abort(gone)
    expect(await asked).toBe(gone)
    expect(held).toBe(0)
    expect(await going()).toEqual([])
    expect(await ask(db, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await failure(ask(use, 'select 1'))).toBe(gone)
  })

  it('keeps the connection whose statement it has cancelled: a new one would cost more', async () => {
    const pidOf = async (from: Db) =>
      (await ask(from, 'select pg_backend_pid() as pid'))[0]?.['pid']
    const pid = await pidOf(db)
    for (let round = 0; round < 10; round += 1) {
      const over = new AbortController()
      const asked = failure(ask(db.within({ enter, signal: over.signal }), 'select pg_sleep(600)'))
      await sleeping()
      over.abort(gone)
      expect(await asked).toBe(gone)
    }
    expect(await pidOf(db)).toBe(pid)
  })

  it('cancels a transaction, wherever in it, and never the statement of another', async () => {
    for (let round = 0; round < 20; round += 1) {
      const over = new AbortController()
      const use = db.within({ enter, signal: over.signal })
      const asked = failure(
        use.transaction(async (tx) => {
          for (;;) await ask(tx, `select pg_sleep(${0.0005 * (round % 4)})`)
        }),
      )
      setTimeout(() => over.abort(gone), round)
      expect(await asked).toBe(gone)
      expect(await ask(db, `select ${round} as number`)).toEqual([{ number: round }])
    }
    expect(held).toBe(0)
  })

  it('keeps a statement without a signal, and gives its place back whatever becomes of it', async () => {
    const use = db.within({ enter, signal: null })
    expect(await ask(use, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await failure(ask(use, 'select 1 / 0'))).toMatchObject({ code: '22012' })
    expect(await failure(use.transaction((tx) => ask(tx, 'nonsense')))).toMatchObject({
      code: '42601',
    })
    expect(held).toBe(0)
  })

  it('asks nothing where no place is given', async () => {
    const refused = db.within({ enter: () => Promise.reject(gone), signal: null })
    expect(await failure(ask(refused, 'select 1'))).toBe(gone)
  })
})
