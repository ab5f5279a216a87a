import type { Rule, SourceFile } from './tree.ts'
import { isScript, lineAt, matchesIn } from './tree.ts'

/** Words of others, and ours: one word per concept, from wire to column. */
const instead: ReadonlyMap<string, string> = new Map([
  ['tenant', 'business'],
  ['shard', 'partition'],
  ['cron', 'sweep'],
  ['ttl', 'expiry'],
  ['debt', 'overage'],
  ['util', 'what it does'],
  ['utils', 'what it does'],
  ['helper', 'what it does'],
  ['helpers', 'what it does'],
  ['misc', 'what it does'],
])

/** File names that say who calls, and not what is there. */
const vague = /(^|[/-])(utils?|helpers?|misc|common|lib|shared-types|index)(\.|\/|$)/

export const glossary: Rule = (files) =>
  files.filter(isScript).flatMap((file) => [
    ...(vague.test(file.path)
      ? [`${file.path}: the name does not say what is in it. Name it after that.`]
      : []),
    ...matchesIn(file, /[A-Za-z_$][\w$]*/g).flatMap((found) => {
      const [name] = found.match
      const advice = adviceOn(name)
      return advice === null ? [] : [`${found.at}: ${name}. ${advice}.`]
    }),
  ])

const known = new Map<string, string | null>()

/** What to say for it; null: it says what it means. Most names stand in many places. */
function adviceOn(name: string): string | null {
  const said = known.get(name)
  if (said !== undefined) return said
  const advice = newAdvice(name)
  known.set(name, advice)
  return advice
}

function newAdvice(name: string): string | null {
  if (/^handle[A-Z]/.test(name)) return 'Name what it does, not who calls it'
  if (name === 'claimId') return 'Call it attempt, or what it identifies'
  const word = wordsOf(name).find((one) => instead.has(one))
  return word === undefined ? null : `Say ${instead.get(word)} for ${word}`
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_$]+/)
    .map((word) => word.toLowerCase())

/** What is left to do stands in an issue, where somebody will read it. */
export const noReminders: Rule = (files) =>
  files
    .filter(({ path }) => /\.(ts|js|sql|lua|sh)$/.test(path) && !path.startsWith('test/tidy'))
    .flatMap((file) =>
      // In a comment: blanked where the comments are.
      [...file.text.matchAll(/\b(TODO|FIXME|XXX|HACK)\b/g)]
        .filter(({ index }) => !isScript(file) || file.uncommented[index] === ' ')
        .map(
          ({ index, 0: word }) =>
            `${file.path}:${lineAt(file.text, index)}: ${word}. Do it, or write an issue.`,
        ),
    )

/** A merge that nobody finished reads as code, as prose and as SQL. */
export const noConflicts: Rule = (files) =>
  files.flatMap((file) =>
    [...file.text.matchAll(/^(?:<{7}|>{7}|\|{7}) .*$/gm)].map(
      ({ index, 0: mark }) =>
        `${file.path}:${lineAt(file.text, index)}: ${mark}. Finish the merge.`,
    ),
  )

/** A name that every importer repeats can be searched for. Piscina asks for the exception. */
export const namedExports: Rule = (files) =>
  files
    .filter((file) => isScript(file) && !/^workers\/|\.config\.ts$/.test(file.path))
    .flatMap((file) =>
      matchesIn(file, /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g).map(
        ({ at }) => `${at}: a default export. Give it a name.`,
      ),
    )

/** Spreading an object that is written on the spot only packs its parts into fewer lines. */
export const nothingPacked: Rule = (files) =>
  files
    .filter(isScript)
    .flatMap((file) =>
      matchesIn(file, /\.\.\.\{ ?\w/g).map(({ at }) => `${at}: a packed line. One part a line.`),
    )

const secrets = 'secret|password|authorization|cookie|payload|api_?key|databaseUrl'
const secret = new RegExp(`\\w*(${secrets})\\w*|\\b(body|metadata|headers|token)\\b`, 'i')

/** Diagnostics are read by more people than may see keys and payloads. */
export const noLoggedSecrets: Rule = (files) =>
  files
    .filter((file) => isScript(file) && /^(src|workers)\//.test(file.path))
    .flatMap((file) =>
      matchesIn(file, /\blogger\.(?:debug|info|warn|error|fatal|child)\(/g).flatMap(
        ({ at, match }) => {
          const [name] = argumentsAt(file, (match.index ?? 0) + match[0].length).match(secret) ?? []
          return name === undefined
            ? []
            : [`${at}: logs ${name}. Log an id, a count or a length instead.`]
        },
      ),
    )

function argumentsAt({ code }: SourceFile, from: number): string {
  let depth = 1
  let end = from
  for (; end < code.length && depth > 0; end += 1) {
    if (code[end] === '(') depth += 1
    if (code[end] === ')') depth -= 1
  }
  return code.slice(from, end)
}
