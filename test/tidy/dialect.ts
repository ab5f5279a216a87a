import type { Rule } from './tree.ts'
import { matchesIn } from './tree.ts'

/** Names in snake_case that a file may use, and why. Lines only go away. */
export interface Spoken {
  readonly why: string
  readonly names: readonly string[]
  readonly files: readonly string[]
}

/** Where the domain is spoken: rules, operations, and the edges that hand over to wire. */
const rooms = /^src\/(rules|operations|edge\/api|engine\/webhooks)\/.*\.ts$/

const snake = /(?<![\w$])[a-z][a-z\d]*(?:_[a-z\d]+)+\b/g

/**
 * One dialect: the shapes that callers see are made and read in `src/wire`, those of columns in a
 * driver. Everything else speaks the domain's camelCase. Strings may say what they like.
 */
export const oneDialect =
  (allowed: readonly Spoken[]): Rule =>
  (files) => {
    const spoken = new Set<string>()
    const wrong = files
      .filter(({ path }) => rooms.test(path))
      .flatMap((file) =>
        matchesIn(file, snake).flatMap(({ at, match: [name] }) => {
          spoken.add(`${file.path} ${name}`).add(name)
          return mayBeSaid(file.path, name)
            ? []
            : [`${at}: ${name}. Speak the domain's names here: src/wire reads and makes the API's.`]
        }),
      )
    return [...wrong, ...allowed.flatMap(unspoken)]

    function mayBeSaid(path: string, name: string): boolean {
      return allowed.some((each) => each.files.includes(path) && each.names.includes(name))
    }

    function unspoken({ names, files }: Spoken): readonly string[] {
      const silent = files.filter((path) => !names.some((name) => spoken.has(`${path} ${name}`)))
      const unsaid = names.filter((name) => !files.some((path) => spoken.has(`${path} ${name}`)))
      return [...silent, ...unsaid].map(
        (each) => `test/tidy/spoken.ts: ${each} needs no exception any more. Delete it.`,
      )
    }
  }
