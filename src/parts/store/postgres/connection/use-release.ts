import { ourRelease } from '../schema/release.ts'

interface Connection {
  query(statement: { readonly text: string; readonly values: string[] }): Promise<unknown>
}

/**
 * Makes the connection find the tables as ever, and behind them the functions of `release`; the
 * triggers look at the same setting. So two releases at work on one database never call each
 * other's code.
 */
export async function useRelease(connection: Connection, release = ourRelease.name): Promise<void> {
  const text = `
    select set_config('search_path', current_setting('search_path') || ', ' || $1, false),
      set_config('sluice.release', $1, false)`
  await connection.query({ text, values: [release] })
}
