import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { subscriber } from './plan.ts'
import { world } from './world.ts'

const server = process.env['TEST_DATABASE_URL'] ?? ''
const name = `shutdown_${randomBytes(6).toString('hex')}`
const url = new URL(server)
url.pathname = `/${name}`

/** Sees the server's connections, and survives when they are ended. */
let admin: Db
/** Inside of the server's database. */
let own: Db
beforeAll(async () => {
  admin = openDb({ url: server, connectionsMax: 1, name: 'admin' })
  await admin.query({ text: `create database ${name}`, values: [] })
  own = openDb({ url: url.href, connectionsMax: 1, name: 'own' })
})
afterAll(async () => {
  await own.close()
  await admin.query({ text: `drop database ${name} with (force)`, values: [] })
  await admin.close()
})

// A database outside of the server, which does not end together with it.
const at = world({ DATABASE_URL: url.href, SECRETS_KEY: randomBytes(32).toString('base64') })

it('ends at SIGTERM whatever the database is busy with, and leaves no work behind in it', async () => {
  await subscriber(at)
  // From now on whatever reads subscriptions takes an hour.
  await own.query({ text: 'alter table subscriptions rename to renamed', values: [] })
  const slow = 'create view subscriptions as select renamed.* from renamed, pg_sleep(3600)'
  await own.query({ text: slow, values: [] })
  const calls = Array.from({ length: 16 }, () =>
    at.call('GET /subscriptions?page_size=100').catch(() => null),
  )
  await expect.poll(active, patient).toBeGreaterThan(5)
  const { ended } = at.server
  await at.stop('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, signal: null })
  const statuses = (await Promise.all(calls)).map((answer) => answer?.status ?? 503)
  // On a slow machine, those that wait for the others of their business may have been told so
  // before the end began: never one that holds a connection.
  const toldToWait = statuses.filter((status) => status === 429)
  expect(toldToWait.length).toBeLessThanOrEqual(calls.length - limits.businessConnectionsMax)
  const others = statuses.filter((status) => status !== 429)
  expect(others).toEqual(others.map(() => 503))
  await expect.poll(active, patient).toBe(0)
})

const patient = { timeout: 60_000, interval: 50 }

/** Connections of the server that work for it. */
async function active(): Promise<number> {
  const rows = await admin.query({
    text: `select pid from pg_stat_activity
      where datname = $1 and application_name like 'sluice%' and state = 'active'`,
    values: [name],
  })
  return rows.length
}
