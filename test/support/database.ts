import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Db } from '../../src/parts/store/postgres/client.ts'
import { openDb } from '../../src/parts/store/postgres/client.ts'

/** A database of its own for a suite, with every migration applied. */
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
  for (const text of migrations()) await db.query({ text, values: [] })
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

function migrations(): readonly string[] {
  const folder = new URL('../../src/parts/store/postgres/migrations/', import.meta.url)
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
}
