import { posix } from 'node:path'
import type { Rule, SourceFile } from './tree.ts'
import { isScript, lineAt } from './tree.ts'

/** One thing that a file imports: types count, since a type drags its room's words along. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** The path of one of our own files, or null for Node's and npm's. */
  readonly path: string | null
}

const patterns = [
  /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
  /\brequire(?:\.resolve)?\(\s*['"]([^'"]+)['"]/g,
]

export function importsOf(file: SourceFile): readonly Import[] {
  if (!isScript(file)) return []
  return patterns.flatMap((pattern) =>
    [...file.uncommented.matchAll(pattern)]
      // Blanked in the code: the sentence stands in a string.
      .filter(({ index, 0: match }) => file.code.slice(index, index + match.length).trim() !== '')
      .map(({ index, 0: match, 1: specifier = '' }) => ({
        specifier,
        line: lineAt(file.text, index + match.length - match.trimStart().length),
        path: specifier.startsWith('.')
          ? posix.join(posix.dirname(file.path), specifier).replace(/^dist\/(.*)\.js$/, '$1.ts')
          : null,
      })),
  )
}

/** Files that import each other cannot be read, tested or replaced one without the other. */
export const noCycles: Rule = (files) => {
  const paths = new Map(files.map((file) => [file.path, importsOf(file)]))
  const state = new Map<string, 'open' | 'done'>()
  const trail: string[] = []
  const found: string[] = []
  for (const path of paths.keys()) visit(path)
  return found

  function visit(path: string): void {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      const cycle = [...trail.slice(trail.indexOf(path)), path].join(' → ')
      found.push(`${cycle}: an import cycle. Move what both need to a file of its own.`)
      return
    }
    state.set(path, 'open')
    trail.push(path)
    for (const { path: to } of paths.get(path) ?? []) if (to !== null && paths.has(to)) visit(to)
    trail.pop()
    state.set(path, 'done')
  }
}

/** Each npm package comes in by one door, so that replacing it is a change to that file. */
export const doorways =
  (doors: Readonly<Record<string, string>>): Rule =>
  (files) => [
    ...files
      .filter(({ path }) => /^(src|workers)\//.test(path))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ path, specifier }) => path === null && !specifier.startsWith('node:'))
          .filter(({ specifier }) => doors[packageOf(specifier)] !== file.path)
          .map(
            ({ line, specifier }) =>
              `${file.path}:${line}: imports ${specifier}. ` +
              (doors[packageOf(specifier)] === undefined
                ? 'A new dependency needs its reason, and a doorway in test/tidy.test.ts.'
                : `Use it through ${doors[packageOf(specifier)]}.`),
          ),
      ),
    ...Object.entries(doors)
      .filter(([, path]) => !files.some((file) => file.path === path))
      .map(([name, path]) => `${path}: the doorway of ${name} is gone. Name its new place.`),
  ]

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What nothing leads to from an entry point is not part of the program: it rots unseen. */
export const noDeadFiles =
  (options: {
    readonly isEntry: (path: string) => boolean
    /** Where files have to be reached, and what others lead to does not count. */
    readonly room: RegExp
    /** Ahead of their use; each must go from here once it is reached. */
    readonly awaited?: readonly string[]
  }): Rule =>
  (files) => {
    const { isEntry, room, awaited = [] } = options
    const scripts = new Map(files.filter(isScript).map((file) => [file.path, file]))
    const reached = reachedFrom([...scripts.keys()].filter(isEntry))
    const all = reachedFrom([...reached, ...awaited])
    return [
      ...[...scripts.keys()]
        .filter((path) => room.test(path) && !all.has(path))
        .map((path) => `${path}: nothing leads here from an entry point. Use it or remove it.`),
      ...awaited
        .filter((path) => reached.has(path) || !scripts.has(path))
        .map((path) => `${path}: it is in use, or gone. Take it off the list of awaited files.`),
    ]

    function reachedFrom(paths: readonly string[]): ReadonlySet<string> {
      const seen = new Set<string>()
      const ahead = [...paths]
      for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
        const file = scripts.get(path)
        if (file === undefined || seen.has(path) || !(room.test(path) || isEntry(path))) continue
        seen.add(path)
        ahead.push(...leadsTo(file))
      }
      return seen
    }

    /** What it imports, and what it starts by path: threads, processes, setups. */
    function leadsTo(file: SourceFile): readonly string[] {
      const imported = importsOf(file).flatMap(({ path }) => (path === null ? [] : [path]))
      const named = [...file.uncommented.matchAll(/['"`]([\w./-]+\.(?:ts|js))['"`]/g)]
        .flatMap(([, name = '']) => [name, posix.join(posix.dirname(file.path), name)])
        .map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))
      return [...imported, ...named]
    }
  }
