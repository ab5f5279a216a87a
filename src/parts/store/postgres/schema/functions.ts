import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'

/**
 * A function of the store with its triggers: the one text that it has now. A new list of parameters
 * makes a new function beside the old one, so that processes of both releases find theirs during an
 * upgrade; other results need another name. The text must do no harm when it is applied again.
 */
export interface StoredFunction {
  readonly name: string
  readonly text: string
}

/** Those of `functions/`, by name. */
export async function ourFunctions(): Promise<readonly StoredFunction[]> {
  const folder = new URL('./functions/', import.meta.url)
  const files = (await readdir(folder)).filter((file) => /^\w+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      text: await readFile(new URL(file, folder), 'utf8'),
    })),
  )
}

/** Those of `functions` that the database has not, or has with another text. */
export async function changedFunctions(
  db: Db,
  functions: readonly StoredFunction[],
): Promise<readonly StoredFunction[]> {
  if (functions.length === 0) return []
  const applied = await db.query<{ name: string; digest: string }>(
    sql`select name, digest from functions`,
  )
  const digests = new Map(applied.map(({ name, digest }) => [name, digest]))
  return functions.filter((each) => digests.get(each.name) !== digestOf(each))
}

/** Applies what changed. The caller holds the lock of migrations. */
export async function applyFunctions(tx: Db, functions: readonly StoredFunction[]): Promise<void> {
  // They call one another, so their order would matter if the database looked inside now.
  await tx.query(sql`set local check_function_bodies = off`)
  for (const each of await changedFunctions(tx, functions)) {
    await tx.query({ text: each.text, values: [] })
    await tx.query(sql`
      insert into functions (name, digest) values (${each.name}, ${digestOf(each)})
      on conflict (name) do update set digest = excluded.digest, applied_at = now()`)
  }
}

const digestOf = ({ text }: StoredFunction): string =>
  createHash('sha256').update(text).digest('hex')
