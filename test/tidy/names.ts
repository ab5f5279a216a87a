import type { Rule, SourceFile } from './tree.ts'
import { matchesIn } from './tree.ts'

/** Exported names that meant two things when the rule was drawn: lines only go away. */
export const saidTwice: readonly string[] = []

const kinds = 'function\\s*\\*?|const|let|class|interface|type|enum'
const before = '(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?'
const declared = new RegExp(`^export\\s+${before}(?:${kinds})\\s+(\\w+)`, 'gm')

/**
 * One word, one thing: a search for an exported name finds one place. Drivers of one part
 * that stand side by side may name the same thing alike, in files of the same name.
 */
export const oneMeaning =
  (allowed: readonly string[]): Rule =>
  (files) => {
    const places = new Map<string, Map<string, string>>()
    for (const file of files.filter(({ path }) => /^(src|workers)\/.*\.(tsx?|js)$/.test(path)))
      for (const { at, match } of matchesIn(file, declared)) {
        const name = match[1] ?? ''
        const ofName = places.get(name) ?? new Map<string, string>()
        places.set(name, ofName.set(subjectOf(file), at))
      }
    const twice = [...places].filter(([, at]) => at.size > 1)
    return [
      ...twice
        .filter(([name]) => !allowed.includes(name))
        .map(
          ([name, at]) =>
            `${[...at.values()].join(', ')}: ${name} means ${at.size} things. ` +
            'Give each a name that only it deserves.',
        ),
      ...allowed
        .filter((name) => (places.get(name)?.size ?? 0) < 2)
        .map((name) => `test/tidy/names.ts: ${name} means one thing now. Delete its line.`),
    ]
  }

/** `src/parts/event-log/lmdb/record.ts` and `…/kafka/record.ts` are about the same. */
const subjectOf = ({ path }: SourceFile): string =>
  path.replace(/^(src\/parts\/[\w-]+\/)[\w-]+\/(?=.)/, '$1*/')

const otherSurname =
  /^(?:export\s+)?(?:interface|type)\s+(\w+(?:Ports|Parts|Desk|Deps|Dependencies))\b/gm
const ofValues = /^(?:export\s+)?interface\s+(\w*Options)\b[^{]*\{([^}]*)\n\}/gm
const dependency =
  /:\s*(?:Pick<|Partial<|Omit<)?(?:Logger|Clock|Checks|Lifecycle|NewId|Db|Metrics)\b/

/** Parts of a product are no dependencies. */
const notMeant: readonly string[] = ['ProductParts']

/**
 * What a function or a part is handed to do its work is called its `…Needs`; `…Options` are plain
 * values.
 */
export const oneSurname: Rule = (files) =>
  files
    .filter(({ path }) => /^src\/.*\.ts$/.test(path))
    .flatMap((file) => [
      ...matchesIn(file, otherSurname)
        .filter(({ match }) => !notMeant.includes(match[1] ?? ''))
        .map(({ at, match }) => `${at}: ${match[1]} holds dependencies. Call it …Needs.`),
      ...matchesIn(file, ofValues)
        .filter(({ match }) => dependency.test(match[2] ?? ''))
        .map(({ at, match }) => `${at}: ${match[1]} holds dependencies. Call it …Needs.`),
    ])
