import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * What a release calls in the database, besides the tables that all releases share: its functions,
 * in a schema of their own, and its triggers, which fire only for the release's own connections.
 */
export interface Release {
  /** The name of the schema, made from a digest of all the texts. */
  readonly name: string
  /** In any order, since PostgreSQL does not look into a body before it is called. */
  readonly functions: readonly string[]
  /** The triggers of each table; the word `:release` marks the names that are the release's own. */
  readonly triggers: readonly TableTriggers[]
}

export interface TableTriggers {
  readonly table: string
  readonly text: string
}

interface NamedText {
  readonly name: string
  readonly text: string
}

/** The release that consists of these texts. */
export function releaseOf(
  functions: readonly NamedText[],
  triggers: readonly NamedText[] = [],
): Release {
  const digest = createHash('sha256')
    .update(JSON.stringify([functions, triggers]))
    .digest('hex')
  return {
    name: `sluice_${digest.slice(0, 16)}`,
    functions: functions.map(({ text }) => text),
    triggers: triggers.map(({ name, text }) => ({ table: name, text })),
  }
}

/** The texts of `functions/` and `triggers/`, read before the first connection is opened. */
export const ourRelease: Release = releaseOf(textsIn('functions'), textsIn('triggers'))

function textsIn(name: string): readonly NamedText[] {
  const folder = new URL(`./${name}/`, import.meta.url)
  const files = readdirSync(folder).filter((file) => /^\w+\.sql$/.test(file))
  return files.sort().map((file) => ({
    name: file.slice(0, -'.sql'.length),
    text: readFileSync(new URL(file, folder), 'utf8'),
  }))
}
