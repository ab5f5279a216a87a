import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { copyLmdbLog } from '../../../src/parts/event-log/lmdb/copy.ts'
import { startPostgres } from '../../../src/parts/store/embedded/postgres.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { scratchDirectory } from '../../support/process/server.ts'
import { quiet } from '../../support/runtime/logger.ts'
import { answersOf } from './answers.ts'
import { dumpRows } from './dump.ts'
import { appendUnreadable, openInstallation, settings } from './installation.ts'
import { tellStory } from './story.ts'

// Writes what `test/e2e/upgrades.test.ts` opens: a small installation with data of every kind, as
// this version writes it. Run it once for each release, and commit what it wrote:
//
//   npm run -s sluice -- help && node dist/test/e2e/upgrades/write.js

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const target = join(root, 'test/e2e/upgrades', version)
const scratch = scratchDirectory()
const postgres = await startPostgres({ directory: join(scratch.path, 'pg'), logger: quiet })
const db = openDb({ url: postgres.url, connectionsMax: 2, name: 'upgrades' })
const dataDir = join(scratch.path, 'data')
const environment = { ...settings, DATA_DIR: dataDir, DATABASE_URL: postgres.url }
const at = await openInstallation({ environment, entry: join(root, 'dist/src/main.js') })
try {
  await write()
} finally {
  await at.kill()
  await db.close()
  await postgres.stop(10_000)
  scratch.remove()
}

async function write(): Promise<void> {
  const end = await tellStory(at)
  await quiescent(0)
  await end()
  await at.restart(async () => {
    await appendUnreadable(dataDir, await partitions())
  })
  await quiescent(1)
  const answers = await answersOf(at)
  await at.operate('verify')
  await at.stop()
  mkdirSync(target, { recursive: true })
  const lines = [at.key, ...Object.entries(answers)].map((each) => JSON.stringify(each))
  // Later versions open it at this moment, since accounts' own cycles go on.
  writeFileSync(join(target, 'written-at'), `${new Date().toISOString()}\n`)
  keep('answers.ndjson', `${lines.join('\n')}\n`)
  keep('rows.sql', await dumpRows(db))
  const copy = join(scratch.path, 'log')
  mkdirSync(copy)
  await copyLmdbLog(join(dataDir, 'log'), copy)
  keep('log.mdb', readFileSync(join(copy, 'data.mdb')))
}

const keep = (name: string, content: string | Buffer): void =>
  writeFileSync(join(target, `${name}.gz`), gzipSync(content, { level: 9 }))

async function partitions(): Promise<number> {
  const [row] = await db.query<{ partitions: number }>(sql`select partitions from installation`)
  return row?.partitions ?? 0
}

/**
 * Waits until everything received is measured, settled, told and archived, except what is
 * unreadable.
 */
async function quiescent(unreadable: number): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ open: number }>(sql`
      select (select count(*) from unsettled) + (select count(*) from outbox)
        + (select count(*) from void_folds)
        + (select count(*) from deliveries
           join webhook_endpoints using (business_id, mode, webhook_id)
           where next_at is not null and not disabled)
        + (select count(*) from checkpoints c left join archive_checkpoints a using (partition)
           where c.next_offset > coalesce(a.next_offset, 0))
        + ${unreadable} - (select count(*) from quarantine) as open`)
    if (row?.open === 0) return
    await sleep(200)
  }
}
