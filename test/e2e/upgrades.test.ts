import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { migrate, ourMigrations } from '../../src/parts/store/postgres/schema/migrate.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { emptyDatabase } from '../support/store/database.ts'
import type { Answers } from './upgrades/answers.ts'
import { answersOf } from './upgrades/answers.ts'
import { loadRows } from './upgrades/dump.ts'
import { appendAgain, openInstallation, settings } from './upgrades/installation.ts'

const folder = fileURLToPath(new URL('upgrades', import.meta.url))
const versions = readdirSync(folder).filter((name) => /^\d/.test(name))

/** `upgrades/write.ts` wrote them; they are opened by this version and all later ones. */
describe('an installation as version', () => {
  it.each(versions)(
    '%s wrote it is opened, and nothing of it is lost',
    {
      timeout: 240_000,
    },
    async (version) => {
      const { key, answers, environment } = await installed(join(folder, version))
      const at = await openInstallation({ environment, key })
      onTestFinished(async () => void (await at.kill()))
      expect(timeless(await answersOf(at))).toEqual(timeless(answers))
      expect(await at.operate('verify')).toMatchObject({ ok: true })
      // The installation goes on: a repeat of what was measured is recognized, and charges nothing.
      const all = '/events?page_size=100'
      const [event] = (answers[all] as { items: object[] }).items
      await at.ask('POST /events/ingest', { events: [inputOf(event ?? {})] })
      expect(await at.ask(`GET ${all}`)).toEqual(answers[all])
      for (const path of Object.keys(answers).filter((each) => /balances\/\w+$/.test(each))) {
        expect(timeless(await at.ask(`GET /${path.slice(1)}`))).toEqual(timeless(answers[path]))
      }
      await at.stop()
    },
  )

  it.each(versions)(
    '%s wrote it is healed from its books: all that comes again counts nothing',
    {
      timeout: 240_000,
    },
    async (version) => {
      const { key, answers, environment } = await installed(join(folder, version))
      const db = openDb({ url: environment.DATABASE_URL, connectionsMax: 1, name: 'upgrades' })
      onTestFinished(() => db.close())
      const measured = async () =>
        Number((await db.query<{ sum: string }>(sql`select sum(events) from checkpoints`))[0]?.sum)
      const before = await measured()
      await appendAgain(environment.DATA_DIR, 4)
      const at = await openInstallation({ environment, key })
      onTestFinished(async () => void (await at.kill()))
      await expect.poll(measured).toBe(2 * before)
      for (const path of Object.keys(answers).filter((each) => /balances\/\w+$/.test(each))) {
        expect(amounts(await at.ask(`GET /${path.slice(1)}`))).toEqual(amounts(answers[path]))
      }
      expect(await at.operate('verify')).toMatchObject({ ok: true })
      await at.stop()
    },
  )
})

/** A new database and data directory with everything that the version wrote. */
async function installed(from: string) {
  const read = (name: string) => gunzipSync(readFileSync(join(from, `${name}.gz`)))
  const [scratch, empty] = [scratchDirectory(), await emptyDatabase()]
  onTestFinished(async () => {
    await empty.drop()
    scratch.remove()
  })
  const rows = read('rows.sql').toString()
  const db = openDb({ url: empty.url, connectionsMax: 1, name: 'upgrades' })
  // The tables of that version; all that has come since is up to the server.
  const number = rows.match(/^insert into migrations \(/gm)?.length ?? 0
  const migrations = (await ourMigrations()).slice(0, number)
  await migrate(db, { apply: true, migrations })
  await db.query({ text: 'truncate migrations', values: [] })
  await loadRows(db, rows)
  await db.close()
  mkdirSync(join(scratch.path, 'log'))
  writeFileSync(join(scratch.path, 'log/data.mdb'), read('log.mdb'))
  const [key, ...lines] = read('answers.ndjson')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const environment = {
    ...settings,
    DATA_DIR: scratch.path,
    DATABASE_URL: empty.url,
    ...clockAt(readFileSync(join(from, 'written-at'), 'utf8').trim()),
  }
  return { key, answers: Object.fromEntries(lines) as Answers, environment }
}

/** Starts processes as if it were this moment: what falls due later would change the answers. */
function clockAt(moment: string): { readonly CLOCK_SHIFT: string; readonly NODE_OPTIONS: string } {
  const scratch = scratchDirectory()
  onTestFinished(() => scratch.remove())
  const [file, module] = [
    join(scratch.path, 'shift'),
    '../../dist/test/e2e/degradation/clock-shift.js',
  ]
  writeFileSync(file, `${Date.parse(moment) - Date.now()}`)
  const loaded = fileURLToPath(new URL(module, import.meta.url))
  return { CLOCK_SHIFT: file, NODE_OPTIONS: `--import ${loaded}` }
}

const amounts = (answer: unknown) => {
  const { balance, overage } = answer as Readonly<Record<string, unknown>>
  return { balance, overage }
}

/** Without the time when balances were last read: an account's own cycles go on. */
const timeless = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value) => {
    if (value === null || typeof value !== 'object' || !('balance' in value)) return value
    const { updated_at: _at, ...rest } = value
    return rest
  })

/** As its sender has sent it. */
const inputOf = (event: object): object => {
  const { event_id, customer_id, event_name, timestamp, metadata } = event as Record<
    string,
    unknown
  >
  return { event_id, customer_id, event_name, timestamp, metadata }
}
