import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import type { Migration } from '../../../src/parts/store/postgres/schema/migrate.ts'
import { migrate } from '../../../src/parts/store/postgres/schema/migrate.ts'
import type { Release } from '../../../src/parts/store/postgres/schema/release.ts'
import { ourRelease, releaseOf } from '../../../src/parts/store/postgres/schema/release.ts'
import { keepRelease } from '../../../src/parts/store/postgres/schema/releases.ts'
import { emptyDatabase } from '../../support/store/database.ts'

const migrations: readonly Migration[] = [
  { number: 1, text: 'create table things (id integer primary key, made_by text)' },
]

/** One that answers `meaning`, and marks what is written to the table by it. */
const meaning = (answer: string): Release =>
  releaseOf(
    [
      {
        name: 'answer',
        text: `create or replace function answer() returns text language sql as
          $$ select '${answer}' $$`,
      },
      {
        name: 'mark',
        text: `create or replace function mark() returns trigger language plpgsql as $$
          begin
            new.made_by := concat_ws(' ', new.made_by, answer());
            return new;
          end $$`,
      },
    ],
    [
      {
        name: 'things',
        text: `create trigger mark_:release before insert on things for each row
          when (current_setting('sluice.release', true) = ':release') execute function mark()`,
      },
    ],
  )

const [older, newer] = [meaning('older'), meaning('newer')]

describe('two releases on one database', () => {
  let empty: Awaited<ReturnType<typeof emptyDatabase>>
  let dbs: Db[] = []
  beforeAll(() => expect(older.name).not.toBe(newer.name))
  beforeEach(async () => {
    empty = await emptyDatabase()
    return async () => {
      for (const db of dbs) await db.close()
      dbs = []
      await empty.drop()
    }
  })
  afterAll(() => expect(ourRelease.functions.length).toBeGreaterThan(20))

  function of(release: Release): Db {
    const options = { url: empty.url, connectionsMax: 4, name: 'test' }
    const db = openDb({ ...options, release: release.name })
    dbs.push(db)
    return db
  }
  const start = (db: Db, release: Release, apply = true) =>
    migrate(db, { apply, migrations, release })
  const answer = async (db: Db) => (await db.query({ text: 'select answer()', values: [] }))[0]
  const add = async (db: Db, id: number) => {
    const text = 'insert into things (id) values ($1) returning made_by'
    return (await db.query({ text, values: [id] }))[0]
  }
  const unseen = (db: Db, release: Release, hours: number) =>
    db.query({
      text: 'update releases set seen_at = now() - make_interval(hours => $2) where name = $1',
      values: [release.name, hours],
    })

  it('call their own functions, and what they write fires their own triggers', async () => {
    const [old, young] = [of(older), of(newer)]
    await start(old, older)
    expect(await answer(old)).toEqual({ answer: 'older' })
    expect(await add(old, 1)).toEqual({ made_by: 'older' })

    await start(young, newer)
    expect(await answer(young)).toEqual({ answer: 'newer' })
    expect(await answer(old)).toEqual({ answer: 'older' })
    expect(await add(young, 2)).toEqual({ made_by: 'newer' })
    expect(await add(old, 3)).toEqual({ made_by: 'older' })
    // The older one starts again beside the newer one.
    await start(old, older)
    expect(await add(young, 4)).toEqual({ made_by: 'newer' })
  })

  it('come together, from several processes, while both write', async () => {
    const [old, young] = [of(older), of(newer)]
    await start(old, older)
    let over = false
    const writing = (async () => {
      for (let id = 1; !over; id += 1) expect(await add(old, id)).toEqual({ made_by: 'older' })
    })()
    await Promise.all([1, 2, 3].map(() => start(young, newer)))
    over = true
    await writing
    expect(await add(young, -1)).toEqual({ made_by: 'newer' })
  })

  it('are looked for where nothing may be applied', async () => {
    const db = of(newer)
    await start(of(older), older)
    await expect(start(db, newer, false)).rejects.toThrow(
      'The database does not have the functions of this version: run `sluice migrate`',
    )
    await start(db, newer)
    await start(db, newer, false)
  })

  it('go when nobody has been seen of them for a day, and come back with who is', async () => {
    const [old, young] = [of(older), of(newer)]
    await start(old, older)
    await unseen(old, older, 23)
    await start(young, newer)
    expect(await answer(old)).toEqual({ answer: 'older' })

    await unseen(old, older, 25)
    expect(await keepRelease(old, older)).toBe(true)
    await start(young, newer)
    expect(await answer(old)).toEqual({ answer: 'older' })

    await unseen(old, older, 25)
    await start(young, newer)
    await expect(answer(old)).rejects.toThrow('does not exist')
    expect(await add(young, 1)).toEqual({ made_by: 'newer' })
    expect(await keepRelease(old, older)).toBe(false)
    await start(old, older)
    expect(await add(old, 2)).toEqual({ made_by: 'older' })
  })

  it('leave what somebody reads until the next start', async () => {
    const [old, young] = [of(older), of(newer)]
    await start(old, older)
    await unseen(old, older, 25)
    await old.transaction(async (tx) => {
      await tx.query({ text: 'select * from things', values: [] })
      await start(young, newer)
    })
    expect(await answer(old)).toEqual({ answer: 'older' })
    // It may have lost a part of what it had, so a process that comes back brings all of it again.
    expect(await keepRelease(old, older)).toBe(false)
    await start(young, newer)
    await expect(answer(old)).rejects.toThrow('does not exist')
  })
})
