import { randomBytes } from 'node:crypto'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { migrate } from '../../../src/parts/store/postgres/schema/migrate.ts'

/** A database of a suite's own, with all migrations. */
export interface ScratchDatabase {
  readonly url: string
  readonly db: Db
  drop(): Promise<void>
}

/**
 * Makes a database on the server that TEST_DATABASE_URL names, which the global set-up sets (an
 * embedded server, or yours). There it is a copy of TEST_DATABASE_TEMPLATE; on any other server all
 * migrations run.
 */
export async function scratchDatabase(server?: string): Promise<ScratchDatabase> {
  const template = server === undefined ? process.env['TEST_DATABASE_TEMPLATE'] : undefined
  const empty = await emptyDatabase(server, template)
  const db = openDb({ url: empty.url, connectionsMax: 8, name: 'scratch' })
  if (template === undefined) await migrate(db, { apply: true })
  return { url: empty.url, db, drop }

  async function drop(): Promise<void> {
    await db.close()
    await empty.drop()
  }
}

/**
 * A database with all migrations for others to be copies of. It is closed, since PostgreSQL copies
 * no database that is in use.
 */
export async function templateDatabase(
  server: string,
): Promise<{ readonly name: string; drop(): Promise<void> }> {
  const { url, drop } = await emptyDatabase(server)
  const db = openDb({ url, connectionsMax: 1, name: 'template' })
  await migrate(db, { apply: true })
  await db.close()
  const name = new URL(url).pathname.slice(1)
  const admin = openDb({ url: server, connectionsMax: 1, name: 'template' })
  await admin.query({ text: `alter database ${name} with allow_connections false`, values: [] })
  await admin.close()
  return { name, drop }
}

/**
 * A database with nothing in it, for a server that runs the migrations itself; or a copy of
 * `template`, file by file.
 */
export async function emptyDatabase(
  server = process.env['TEST_DATABASE_URL'],
  template?: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: run through `npm test`.')
  const name = `scratch_${randomBytes(8).toString('hex')}`
  const admin = openDb({ url: server, connectionsMax: 1, name: 'scratch' })
  const copied = template === undefined ? '' : ` template ${template} strategy file_copy`
  await admin.query({ text: `create database ${name}${copied}`, values: [] })
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop }

  async function drop(): Promise<void> {
    await admin.query({ text: `drop database ${name} with (force)`, values: [] })
    await admin.close()
  }
}
