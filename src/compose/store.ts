import assert from 'node:assert/strict'
import type { Config } from '../config.ts'
import { Refusal } from '../faults.ts'
import { limits } from '../limits.ts'
import { refuseHalfRestored } from '../operations/backups/restore.ts'
import type { Businesses } from '../parts/store/businesses.ts'
import type { Changes } from '../parts/store/changes.ts'
import type { EmbeddedPostgres } from '../parts/store/embedded/postgres.ts'
import { attachPostgres, startPostgres } from '../parts/store/embedded/postgres.ts'
import type { Installation } from '../parts/store/installation.ts'
import type { Keys } from '../parts/store/keys.ts'
import { accounts } from '../parts/store/postgres/accounts/accounts.ts'
import { boundaries } from '../parts/store/postgres/accounts/boundaries.ts'
import { ledger } from '../parts/store/postgres/accounts/ledger.ts'
import { archiveStretches } from '../parts/store/postgres/archive/archive-stretches.ts'
import { archiveReader } from '../parts/store/postgres/archive/archive-view.ts'
import { audit } from '../parts/store/postgres/audit/audit.ts'
import { addons } from '../parts/store/postgres/catalog/addons.ts'
import { brands } from '../parts/store/postgres/catalog/brands.ts'
import { businesses } from '../parts/store/postgres/catalog/businesses.ts'
import { collections } from '../parts/store/postgres/catalog/collections.ts'
import { creditEntitlements } from '../parts/store/postgres/catalog/credit-entitlements.ts'
import { customers } from '../parts/store/postgres/catalog/customers.ts'
import { discounts } from '../parts/store/postgres/catalog/discounts.ts'
import { keys } from '../parts/store/postgres/catalog/keys.ts'
import { localizedPrices } from '../parts/store/postgres/catalog/localized-prices.ts'
import { meters } from '../parts/store/postgres/catalog/meters.ts'
import { products } from '../parts/store/postgres/catalog/products.ts'
import { shortLinks } from '../parts/store/postgres/catalog/short-links.ts'
import { subscriptions } from '../parts/store/postgres/catalog/subscriptions.ts'
import { changes } from '../parts/store/postgres/changes/changes.ts'
import type { Db, DbOptions, DbPool } from '../parts/store/postgres/connection/client.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { brokenPromises } from '../parts/store/postgres/connection/promises.ts'
import { refuseHalfImported } from '../parts/store/postgres/moving/claim.ts'
import { paymentRepositories } from '../parts/store/postgres/payments/payment-repositories.ts'
import { consoleSessions } from '../parts/store/postgres/people/console-sessions.ts'
import { users } from '../parts/store/postgres/people/users.ts'
import { ensureInstallation } from '../parts/store/postgres/schema/installation.ts'
import type { Migrated } from '../parts/store/postgres/schema/migrate.ts'
import { migrate } from '../parts/store/postgres/schema/migrate.ts'
import { webhookEndpoints } from '../parts/store/postgres/telling/webhook-endpoints.ts'
import { webhookMessages } from '../parts/store/postgres/telling/webhook-messages.ts'
import { webhookStreams } from '../parts/store/postgres/telling/webhook-streams.ts'
import { measuring } from '../parts/store/postgres/usage/measuring.ts'
import { voids } from '../parts/store/postgres/usage/voids.ts'
import type { Users } from '../parts/store/users.ts'
import { takeDataDir } from '../runtime/data-dir.ts'
import { pauseFor } from '../runtime/pause.ts'
import type { Start } from '../runtime/wait-for-servers.ts'
import { patiently } from '../runtime/wait-for-servers.ts'
import type { Duration } from '../std/instant.ts'
import type { EmbeddedNeeds, Starting } from './embedded.ts'
import { copyOverWhenNeeded, postgresDirectory } from './embedded.ts'
import { processors } from './processors.ts'

/** The store as one process uses it: migrated, and with the repositories of its nouns. */
export interface Store {
  /** Other threads open their own pools on this URL. */
  readonly url: string
  readonly db: DbPool
  readonly installation: Installation
  readonly migrated: Migrated
  readonly businesses: Businesses
  readonly keys: Keys
  readonly users: Users
  readonly changes: Changes
  /** The PostgreSQL server, if this process runs it. */
  readonly postgres: EmbeddedPostgres | null
}

/**
 * How long after its time an event may be measured: a key may be made for all that dedupe still
 * remembers. [events#times]
 */
export const openFor = ({ dedupeWindow }: Pick<Config, 'dedupeWindow'>): Duration =>
  Math.max(limits.sealAfter, dedupeWindow)

/** How old an event may be when it is sent, whatever its key says. [events#times] */
export const backfillMax = ({ dedupeWindow }: Pick<Config, 'dedupeWindow'>): Duration =>
  dedupeWindow - limits.eventAgeMax

/** The repositories that the operations of the API use. */
export const repositories = (
  db: Db,
  config: Pick<Config, 'dedupeWindow'> & Partial<Pick<Config, 'rapidResolutionMax'>>,
) => ({
  rapidUpTo: config.rapidResolutionMax ?? null,
  accounts: accounts(db),
  addons: addons(db),
  changes: changes(db),
  audit: audit(db),
  boundaries: boundaries(db),
  brands: brands(db),
  businesses: businesses(db),
  collections: collections(db),
  customers: customers(db),
  creditEntitlements: creditEntitlements(db, openFor(config)),
  discounts: discounts(db),
  ledger: ledger(db),
  localizedPrices: localizedPrices(db),
  measuring: measuring(db),
  meters: meters(db),
  ...paymentRepositories(db),
  processors,
  products: products(db),
  shortLinks: shortLinks(db),
  subscriptions: subscriptions(db, openFor(config)),
  endpoints: webhookEndpoints(db),
  messages: webhookMessages(db),
  streams: webhookStreams(db),
  archive: archiveReader(db),
  archiveStretches: archiveStretches(db),
  voids: voids(db),
  users: users(db),
  consoleSessions: consoleSessions(db),
})

export type Repositories = ReturnType<typeof repositories>

export type StoreNeeds = EmbeddedNeeds

/**
 * For the server, whose PostgreSQL is `starting` unless it uses another. The signal of `start` gives
 * up a slow start.
 */
export async function openServerStore(
  options: StoreNeeds,
  start: Start,
  starting: Starting | null,
): Promise<Store> {
  const { config, logger } = options
  const deadlineMs = limits.edgeStatementMs
  const { databaseUrl } = config
  if (databaseUrl !== null) {
    const waiting = { what: 'the database', logger, ...start }
    const db = connect(options, { url: databaseUrl, deadlineMs })
    return patiently(waiting, () => opened(db, databaseUrl, config))
  }
  assert(starting !== null)
  const postgres = await starting.postgres
  const { url } = postgres
  return { ...(await opened(connect(options, { url, deadlineMs }), url, config)), postgres }
}

/**
 * For a command, whether or not a server runs on the data directory: uses the server's PostgreSQL
 * if there is one, else starts it for as long as the command takes.
 */
export async function openCommandStore(options: StoreNeeds, applies: boolean): Promise<Store> {
  const { config } = options
  if (config.databaseUrl !== null) return open(options, config.databaseUrl, applies)
  // Only this installation uses the embedded database, so any command may migrate it.
  return open(options, await embeddedUrl(options), applies || config.migrate)
}

const serverStartMs = 60_000

/** The embedded database of the server that is running, or one for as long as the command takes. */
export const embeddedUrl = async (options: StoreNeeds): Promise<string> =>
  (await embeddedDatabase(options)).url

interface EmbeddedDatabase {
  readonly url: string
  /** Whether a server is running on it. */
  readonly served: boolean
}

export async function embeddedDatabase(options: StoreNeeds): Promise<EmbeddedDatabase> {
  const { config, logger, life } = options
  await refuseHalfRestored(config.dataDir)
  const directory = postgresDirectory(config)
  const deadline = performance.now() + serverStartMs
  while (performance.now() < deadline) {
    const dataDir = await takeDataDir({ path: config.dataDir, holder: 'command', waitMs: 30_000 })
    if (dataDir !== null) {
      life.own('data directory', () => dataDir.release())
      const postgres = await startPostgres({ directory, logger, copyOver: copyOverWhenNeeded })
      life.own('postgres', (withinMs) => postgres.stop(withinMs))
      return { url: postgres.url, served: false }
    }
    const url = await attachPostgres(directory)
    if (url !== null) return { url, served: true }
    // A server is just starting or stopping; look again.
    await pauseFor(100)
  }
  throw new Error(`The server on ${config.dataDir} does not get ready: look at its log.`)
}

async function open(options: StoreNeeds, url: string, applies: boolean): Promise<Store> {
  return opened(connect(options, { url }), url, { ...options.config, migrate: applies })
}

function connect({ config, life }: StoreNeeds, to: Pick<DbOptions, 'url' | 'deadlineMs'>): DbPool {
  const allowedOff = config.databaseAllowOff
  const connectionsMax = limits.edgeConnectionsMax
  const db = openDb({ ...to, connectionsMax, allowedOff, name: 'sluice' })
  life.own('database connections', () => db.close())
  return db
}

async function opened(
  db: DbPool,
  url: string,
  { databaseAllowOff, migrate: applies }: Pick<Config, 'databaseAllowOff' | 'migrate'>,
): Promise<Store> {
  await assertPromises(url, databaseAllowOff)
  // A server that does not answer is noticed here, where there is a deadline; a migration has none.
  await db.query({ text: 'select 1', values: [] })
  const migrated = await broughtUpToDate(url, applies)
  const installation = await ensureInstallation(db)
  const nouns = {
    businesses: businesses(db),
    keys: keys(db),
    users: users(db),
    changes: changes(db),
  }
  return { url, db, installation, migrated, ...nouns, postgres: null }
}

/** Checks the connection that will be used, whatever its promises are. @throws Refusal */
export async function assertPromises(
  url: string,
  allowedOff: Config['databaseAllowOff'],
): Promise<void> {
  const deadlineMs = limits.edgeStatementMs
  const db = openDb({ url, connectionsMax: 1, name: 'sluice start', deadlineMs })
  try {
    const broken = await brokenPromises(db, allowedOff)
    if (broken !== null) throw new Refusal(broken)
  } finally {
    await db.close()
  }
}

/** Without a deadline, and so on a connection of its own. */
export async function broughtUpToDate(url: string, applies: boolean): Promise<Migrated> {
  const deadlineMs = limits.migrationStatementMs
  const db = openDb({ url, connectionsMax: 2, name: 'sluice migrate', deadlineMs })
  try {
    await refuseHalfImported(db)
    return await migrate(db, { apply: applies })
  } finally {
    await db.close()
  }
}
