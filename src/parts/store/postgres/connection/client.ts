import { AssertionError } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
// pg: the client for Node that is most widely used; this is the only import of it.
import pg from 'pg'
import { Fault } from '../../../../faults.ts'
import { limits } from '../../../../limits.ts'
import { onAbort } from '../../../../runtime/on-abort.ts'
import type { Instant } from '../../../../std/instant.ts'
import { formatInstant } from '../../../../std/instant.ts'
import type { StorePromise } from '../../../postgres-promises.ts'
import { prepareAnew, preparedAs } from './prepared.ts'
import { verifying } from './promises.ts'
import type { Statement } from './sql.ts'
import { parserOf } from './types.ts'
import { useRelease } from './use-release.ts'

/**
 * A pool of connections. Throws the fault UNAVAILABLE when the server is away. (types.ts says how
 * values come back.)
 */
export interface Db {
  query<Row>(statement: Statement): Promise<readonly Row[]>

  /** One transaction of few round trips, undone if `work` throws. `snapshot`: reads one moment. */
  transaction<T>(work: InTransaction<T>, kind?: 'snapshot'): Promise<T>

  /**
   * Takes no further query, and ends the connections when the queries under way are done, but after
   * `graceMs` ends what is still at work in the server, which would hold its locks for nobody.
   */
  close(graceMs?: number): Promise<void>
}

/** How one caller uses the connections of a pool, and until when. */
export interface Use {
  /** Waits for a place among the pool's users. Calling what it answers gives the place back. */
  readonly enter: () => Promise<() => void>
  /**
   * Once aborted, no query is sent and the one under way is cancelled; the caller gets its reason.
   */
  readonly signal: AbortSignal | null
}

export interface DbPool extends Db {
  /** The same pool, for one of several callers that share it. Closing it does nothing. */
  within(use: Use): Db
}

export interface DbOptions {
  /** postgres://…; for a Unix socket postgres://user@/db?host=/directory */
  readonly url: string
  readonly connectionsMax: number
  readonly name: string
  /**
   * How long one statement may take, in ms. Past it the server cancels it, and a connection whose
   * server does not answer at all is thrown away. Both are UNAVAILABLE: the statement may or may
   * not have been applied. Absent: the deadline of commands.
   */
  readonly deadlineMs?: number
  /** Promises of the server that may be off. Absent: the server is not asked about any. */
  readonly allowedOff?: readonly StorePromise[]
  /** The release whose functions are called and whose triggers fire. Absent: this one. */
  readonly release?: string
}

/** The server cancels first, so that a late statement does not go on there. */
const graceMs = 1_000
/** An idle connection whose other end has vanished is noticed after this time and some probes. */
const keepAliveMs = 10_000
/** How long cancelling may take; it takes a moment, or the server is in no state to do it. */
const cancelMs = 2_000

export function openDb(options: DbOptions): DbPool {
  // A name of its own, by which the pool's connections can be found in the server.
  const name = `${options.name} ${randomBytes(6).toString('hex')}`
  const pool = new pg.Pool(poolConfig(options, name))
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', ignored)
  const cancelling = cancels(options)
  const { leased, transaction } = leasing(pool, cancelling.cancel)
  return {
    query: (statement) => run(pool, statement),
    transaction: (work, kind) => transaction(work, null, kind),
    within,
    close,
  }

  async function close(graceMs = 500): Promise<void> {
    const timer = setTimeout(() => void cut(options.url, name), graceMs)
    await pool.end()
    clearTimeout(timer)
    await cancelling.close()
  }

  function within({ enter, signal }: Use): Db {
    return {
      query: (statement) =>
        entered(() =>
          signal === null
            ? run(pool, statement)
            : leased(signal, (client) => run(client, statement), cleared),
        ),
      transaction: (work, kind) => entered(() => transaction(work, signal, kind)),
      close: () => Promise.resolve(),
    }

    async function entered<T>(work: () => Promise<T>): Promise<T> {
      const leave = await enter()
      return work().finally(leave)
    }
  }
}

function poolConfig(options: DbOptions, name: string): pg.PoolConfig {
  const { url, connectionsMax, deadlineMs = limits.commandStatementMs, allowedOff } = options
  return {
    connectionString: url,
    max: connectionsMax,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    statement_timeout: deadlineMs,
    query_timeout: deadlineMs + graceMs,
    ...(allowedOff === undefined ? {} : { verify: verifying(allowedOff) }),
    onConnect: (client) => useRelease(client, options.release),
    types: { getTypeParser: parserOf(textArray) },
    options:
      '-c timezone=UTC -c idle_in_transaction_session_timeout=5000 -c lock_timeout=10000 -c jit=off',
  }
}

type Cancel = (client: pg.PoolClient) => Promise<void>
type InTransaction<T> = (tx: Db) => Promise<T>
const snapshot = 'begin isolation level repeatable read, read only'

/** Runs work on a connection of its own, which a signal may end. */
function leasing(pool: pg.Pool, cancel: Cancel) {
  return { leased, transaction }

  function transaction<T>(work: InTransaction<T>, signal: AbortSignal | null, kind?: 'snapshot') {
    return leased(signal, inTransaction, rolledBack)

    async function inTransaction(client: pg.PoolClient): Promise<T> {
      await run(client, { text: kind === 'snapshot' ? snapshot : 'begin', values: [] })
      const result = await work(inside(client, signal))
      await run(client, { text: 'commit', values: [] })
      return result
    }
  }

  /** Runs `work` on a connection. After a failure `settle` may say that it cannot be used again. */
  async function leased<T>(
    signal: AbortSignal | null,
    work: (client: pg.PoolClient) => Promise<T>,
    settle: (client: pg.PoolClient) => Promise<Error | undefined>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const client = await pool.connect().catch(unavailable)
    client.on('error', ignored)
    const ending = onAbort(signal, () => cancel(client))
    let [broken, failed]: [Error | undefined, boolean] = [undefined, false]
    try {
      signal?.throwIfAborted()
      return await work(client)
    } catch (error) {
      failed = true
      if (isLost(error)) broken = error as Error
      throw signal?.aborted === true ? signal.reason : error
    } finally {
      // A cancel that comes late would hit the next statement: one more shows that it has come.
      const cancelled = await ending()
      if (broken === undefined && (failed || cancelled)) broken = await settle(client)
      client.off('error', ignored)
      client.release(broken)
    }
  }
}

/** Cancels statements in the server over a connection that nothing else can hold up. */
function cancels({ url }: DbOptions) {
  let db: DbPool | null = null
  return { cancel, close: async () => db?.close() }

  /** A statement that cannot be cancelled ends by its deadline. */
  async function cancel(client: pg.PoolClient & { readonly processID?: number }): Promise<void> {
    db ??= openDb({ url, connectionsMax: 1, name: 'sluice cancel', deadlineMs: cancelMs })
    const text = 'select pg_cancel_backend($1)'
    await db.query({ text, values: [client.processID] }).catch(ignored)
  }
}

/** Ends the connections of an application in the server. A server that is away has none left. */
async function cut(connectionString: string, name: string): Promise<void> {
  const bounds = { connectionTimeoutMillis: cancelMs, query_timeout: cancelMs }
  const client = new pg.Client({ connectionString, ...bounds })
  client.on('error', ignored)
  try {
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [name],
    )
  } catch {
    // Where nothing can be said to the server, closing waits no longer than it must.
  } finally {
    await client.end().catch(ignored)
  }
}
/** Why a connection cannot be used again; null keeps it, as a new one costs the server more. */
const settledBy = (text: string) => (client: pg.PoolClient) =>
  client.query(text).then(
    () => undefined,
    (failure: Error) => failure,
  )

const [rolledBack, cleared] = [settledBy('rollback'), settledBy('select')]

/** The connection did not answer, or broke: it is not used again, and the server rolls back. */
const isLost = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'UNAVAILABLE' && stateOf(error.cause) === null

function inside(client: pg.PoolClient, signal: AbortSignal | null): Db {
  const tx: Db = {
    query: async (statement) => {
      signal?.throwIfAborted()
      return run(client, statement)
    },
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
    values.length === 0 ? { text } : { text, values: [...values], name: preparedAs(text) }
  const result = await target
    .query<Row & pg.QueryResultRow>(query())
    .catch((error: unknown) => {
      if (!isOutdated(error)) throw error
      prepareAnew()
      // The transaction is lost with the statement: `unavailable` tells the caller to begin again.
      if (!(target instanceof pg.Pool)) throw error
      return target.query<Row & pg.QueryResultRow>(query())
    })
    .catch(unavailable)
  return result.rows
}

/** A newer version's migration changed what a prepared statement answers: prepare it anew. */
const isOutdated = (error: unknown): boolean =>
  stateOf(error) === '0A000' && /cached plan/.test((error as Error).message)

function unavailable(error: unknown): never {
  if (!isAway(error) || error instanceof Fault) throw error
  throw new Fault('UNAVAILABLE', 'The database cannot be reached just now; try again.', {
    cause: error,
    retryAfterSeconds: 1,
  })
}

/**
 * Whether another try may succeed: the server could not be reached, was cut off (57), lacks room
 * (53), broke (58, XX), is read-only (25006), or gave way to another transaction (40, 55P03,
 * 25P03).
 *
 * An error without a SQLSTATE comes from the connection, whatever its code (EPIPE looks like a
 * SQLSTATE), unless it is one of a faulty program.
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

const textArray = pg.types.getTypeParser(1009 as never) as (text: string) => unknown

/** A bound value for a timestamptz column. */
export const timestamptz = (at: Instant | null): string | null =>
  at === null ? null : formatInstant(at)

function ignored(): void {
  // The next query reports it.
}
