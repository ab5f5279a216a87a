import { Fault } from '../../../../faults.ts'
import type { StorePromise } from '../../../postgres-promises.ts'
import { promises } from '../../../postgres-promises.ts'
import type { Statement } from './sql.ts'

/**
 * Asks for the settings of this connection, whether set for the server, the database, the role, or
 * in the URL.
 */
const promisesAsked = `select ${promises
  .map((name) => `current_setting('${name}') as ${name}`)
  .join(', ')}`

type PromisesRow = Readonly<Record<StorePromise, string>>

/**
 * The promises that are off and must not be, in a sentence that says how to mend it; null: none.
 */
function broken(row: PromisesRow, allowedOff: readonly StorePromise[]): string | null {
  const off = promises.filter((name) => row[name] === 'off' && !allowedOff.includes(name))
  if (off.length === 0) return null
  const set = off.map((name) => `${name} = on`).join(', ')
  return `The database runs with ${off.join(', ')} off, so that it may forget or spoil what it has committed: set ${set} (for the server, the database and the role), or allow it with DATABASE_ALLOW_OFF=${off.join(',')}.`
}

interface Asked {
  query<Row>(statement: Statement): Promise<readonly Row[]>
}

/** The sentence for how the server is set now; null: it keeps its promises. */
export async function brokenPromises(
  db: Asked,
  allowedOff: readonly StorePromise[],
): Promise<string | null> {
  const [row] = await db.query<PromisesRow>({ text: promisesAsked, values: [] })
  return row === undefined ? null : broken(row, allowedOff)
}

interface Connection {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
}

/**
 * Asks every new connection before it is used: a server may be restarted with other settings, or
 * fail over to a server that has them.
 */
export const verifying =
  (allowedOff: readonly StorePromise[]) =>
  (client: Connection, done: (error?: Error) => void): void => {
    // The query is told, too, when the connection breaks; without a listener the error would end
    // the process.
    client.on('error', ignored)
    client
      .query(promisesAsked)
      .then(({ rows }) => {
        const sentence = broken(rows[0] as PromisesRow, allowedOff)
        return sentence === null ? undefined : new Fault('UNAVAILABLE', sentence)
      })
      .catch((error: Error) => error)
      .then((error) => {
        client.off('error', ignored)
        done(error)
      })
  }

function ignored(): void {
  // Ignored here: the query has failed with it.
}
