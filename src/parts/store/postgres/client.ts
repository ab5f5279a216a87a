import assert, { AssertionError } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
// pg: the client that everybody runs; ours is the only import of it.
import pg from 'pg'
import { Fault } from '../../../faults.ts'
import type { Instant } from '../../../std/instant.ts'
import { formatInstant, parseInstant } from '../../../std/instant.ts'
import type { Statement } from './sql.ts'

/**
 * A pool of connections. Rows come back with timestamptz as Instant (µs), int8 as number (refused
 * beyond 2^53), numeric as text, json parsed. Throws the fault UNAVAILABLE when the server is away.
 */
export interface Db {
  query<Row>(statement: Statement): Promise<readonly Row[]>

  /** Runs `work` in one transaction: all of it, or nothing when it throws. Keep it to few trips. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>

  /**
   * Takes no further query, and ends the connections when those under way are done. What is not
   * done within `graceMs` is ended in the server too: it would work, and hold its locks, for nobody.
   */
  close(graceMs?: number): Promise<void>
}

export interface DbOptions {
  /** postgres://…; for a Unix socket postgres://user@/db?host=/directory */
  readonly url: string
  readonly connectionsMax: number
  readonly name: string
  /**
   * How long one statement may take, in ms: past it the server cancels it, and where the server
   * does not answer at all (stopped, or cut off without a word) its connection is thrown away; both
   * are UNAVAILABLE, and it may or may not have been applied. Absent: as long as it takes, for
   * commands, migrations and backups.
   */
  readonly deadlineMs?: number
}

/** The server cancels first: then nothing of a late statement goes on there. */
const graceMs = 1_000
/** An idle connection whose other end has vanished is found out after this and some probes. */
const keepAliveMs = 10_000

export function openDb(options: DbOptions): Db {
  // A name of its own, by which its connections are found in the server.
  const name = `${options.name} ${randomBytes(6).toString('hex')}`
  const { deadlineMs } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...(deadlineMs === undefined
      ? {}
      : { statement_timeout: deadlineMs, query_timeout: deadlineMs + graceMs }),
    types: { getTypeParser: parserOf },
    options:
      '-c timezone=UTC -c idle_in_transaction_session_timeout=5000 -c lock_timeout=10000 -c jit=off',
  })
  // A connection that breaks while idle is replaced by the next query; without a listener it would
  // end us.
  pool.on('error', ignored)
  return { query: (statement) => run(pool, statement), transaction, close }

  async function close(graceMs = 500): Promise<void> {
    const timer = setTimeout(() => void cut(options.url, name), graceMs)
    await pool.end()
    clearTimeout(timer)
  }

  async function transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(unavailable)
    client.on('error', ignored)
    let broken: Error | undefined
    try {
      await run(client, { text: 'begin', values: [] })
      const result = await work(inside(client))
      await run(client, { text: 'commit', values: [] })
      return result
    } catch (error) {
      broken = isLost(error) ? (error as Error) : await rolledBack(client)
      throw error
    } finally {
      client.off('error', ignored)
      client.release(broken)
    }
  }
}

/** Ends the connections of an application in the server. One that is away has ended them itself. */
async function cut(connectionString: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', ignored)
  try {
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [name],
    )
  } catch {
    // Then nothing can be said to it: whoever closes waits no longer than it wants to.
  } finally {
    await client.end().catch(ignored)
  }
}
/** Why the connection is of no use any more, if it is not. */
const rolledBack = (client: pg.PoolClient): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  )

/** The connection did not answer or broke: it is not asked again, and the server rolls back. */
const isLost = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'UNAVAILABLE' && stateOf(error.cause) === null

function inside(client: pg.PoolClient): Db {
  const tx: Db = {
    query: (statement) => run(client, statement),
    transaction: (work) => work(tx),
    close: () => Promise.resolve(),
  }
  return tx
}

async function run<Row>(
  target: pg.Pool | pg.PoolClient,
  { text, values }: Statement,
): Promise<readonly Row[]> {
  const query = () =>
    values.length === 0 ? { text } : { text, values: [...values], name: nameOf(text) }
  const result = await target
    .query<Row & pg.QueryResultRow>(query())
    .catch((error: unknown) => {
      if (!isOutdated(error)) throw error
      prepareAnew()
      // In a transaction it is lost with all before it: `unavailable` tells to begin again.
      if (!(target instanceof pg.Pool)) throw error
      return target.query<Row & pg.QueryResultRow>(query())
    })
    .catch(unavailable)
  return result.rows
}

// Statements are few and fixed (templates), so each is prepared once a connection.
const names = new Map<string, string>()
let generation = 0
function nameOf(text: string): string {
  const name = names.get(text) ?? `s${generation}.${names.size}`
  names.set(text, name)
  return name
}

/**
 * A migration of a newer version beside us has changed what a prepared statement answers. Nothing
 * was done; under another name it is prepared again.
 */
const isOutdated = (error: unknown): boolean =>
  stateOf(error) === '0A000' && /cached plan/.test((error as Error).message)

function prepareAnew(): void {
  generation += 1
  names.clear()
}

function unavailable(error: unknown): never {
  if (!isAway(error)) throw error
  throw new Fault('UNAVAILABLE', 'The database cannot be reached just now; try again.', {
    cause: error,
    retryAfterSeconds: 1,
  })
}

/**
 * Whether another try may succeed: the server could not be reached, was cut off (57), lacks room
 * (53), broke (58, XX), only reads (25006), or gave way to another transaction (40, 55P03, 25P03).
 *
 * Errors without a SQLSTATE are the connection's, whatever their code (EPIPE looks like a
 * SQLSTATE), but for those of a program that is wrong.
 */
function isAway(error: unknown): boolean {
  const state = stateOf(error)
  if (isOutdated(error)) return true
  if (state !== null) return /^(08|40|53|57|58|XX|25006|25P03|55P03)/.test(state)
  return !bugs.some((bug) => error instanceof bug)
}

const bugs = [AssertionError, TypeError, RangeError, SyntaxError, ReferenceError]

/** The SQLSTATE of an error of PostgreSQL, null when it is none. */
export function stateOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

export const isUniqueViolation = (error: unknown): boolean => stateOf(error) === '23505'

/** The constraint that a violation names. */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('constraint' in error)) return null
  return typeof error.constraint === 'string' ? error.constraint : null
}

function parserOf(oid: number): (text: string) => unknown {
  switch (oid) {
    case 20: // int8
      return safeInteger
    case 21:
    case 23:
      return Number
    case 16:
      return (text) => text === 't'
    case 17: // bytea
      return (text) => Buffer.from(text.slice(2), 'hex')
    case 114:
    case 3802:
      return (text) => JSON.parse(text) as unknown
    case 1184:
      return timestamp
    case 1009: // text[]
      return pg.types.getTypeParser(1009 as never) as (text: string) => unknown
    default:
      return (text) => text
  }
}

function safeInteger(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), 'An int8 of the store is beyond 2^53.')
  return value
}

/** `2026-01-31 12:00:00.123456+00`, as the server writes it with timezone UTC. */
function timestamp(text: string): Instant {
  const at = parseInstant(`${text.slice(0, 10)}T${text.slice(11)}:00`)
  assert(at !== null, `The store answered a timestamp that cannot be read: ${text}`)
  return at
}

/** A bound value for a timestamptz. */
export const timestamptz = (at: Instant | null): string | null =>
  at === null ? null : formatInstant(at)

function ignored(): void {
  // The next query reports it.
}
