import { randomBytes } from 'node:crypto'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { migrate } from '../../../src/parts/store/postgres/schema/migrate.ts'

/** A database of its own for a suite, brought up to date. */
export interface ScratchDatabase {
  readonly url: string
  readonly db: Db
  drop(): Promise<void>
}

/** Needs TEST_DATABASE_URL, which the global set-up provides (an embedded server, or yours). */
export async function scratchDatabase(
  server = process.env['TEST_DATABASE_URL'],
): Promise<ScratchDatabase> {
  const empty = await emptyDatabase(server)
  const db = openDb({ url: empty.url, connectionsMax: 8, name: 'scratch' })
  await migrate(db, { apply: true })
  return { url: empty.url, db, drop }

  async function drop(): Promise<void> {
    await db.close()
    await empty.drop()
  }
}

/** A database with nothing in it, for a server that brings it up to date itself. */
export async function emptyDatabase(
  server = process.env['TEST_DATABASE_URL'],
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: run through `npm test`.')
  const name = `scratch_${randomBytes(8).toString('hex')}`
  const admin = openDb({ url: server, connectionsMax: 1, name: 'scratch' })
  await admin.query({ text: `create database ${name}`, values: [] })
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop }

  async function drop(): Promise<void> {
    await admin.query({ text: `drop database ${name} with (force)`, values: [] })
    await admin.close()
  }
}
