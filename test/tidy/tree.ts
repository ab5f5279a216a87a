import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskOf } from './mask.ts'

/** A file as the rules see it. Paths begin at the root of the repository. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  /** The text with comments blanked: every character is where it was. */
  readonly uncommented: string
  /** As `uncommented`, with the contents of strings and regular expressions blanked as well. */
  readonly code: string
}

/** What is wrong, where, and what to do instead: one line each. Empty when all is well. */
export type Rule = (files: readonly SourceFile[]) => readonly string[]

/** A tree made by hand: texts by path. */
export const treeOf = (texts: Readonly<Record<string, string>>): readonly SourceFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text, ...masksOf(path, text) }))

/** All that we wrote, as it lies below `root`. */
export function readTree(root: string): readonly SourceFile[] {
  const paths = ['src', 'workers', 'bench', 'test', 'deploy'].flatMap((room) => below(root, room))
  const tops = entriesOf(root, '').filter(({ folder }) => !folder)
  const all = [...tops.map(({ path }) => path), ...paths].filter((path) => isText.test(path))
  return treeOf(
    Object.fromEntries(all.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  )
}

const isText = /\.(tsx?|js|sql|lua|md|json|sh|ya?ml)$/

function below(root: string, path: string): readonly string[] {
  return entriesOf(root, path).flatMap((entry) =>
    entry.folder ? below(root, entry.path) : [entry.path],
  )
}

/** What a folder holds; nothing when there is no such folder. */
export function entriesOf(
  root: string,
  path: string,
): readonly { readonly path: string; readonly folder: boolean }[] {
  try {
    return readdirSync(join(root, path), { withFileTypes: true }).map((entry) => ({
      path: path === '' ? entry.name : `${path}/${entry.name}`,
      folder: entry.isDirectory(),
    }))
  } catch {
    return []
  }
}

export const isScript = ({ path }: SourceFile): boolean => /\.(tsx?|js)$/.test(path)

export function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1))
    line += 1
  return line
}

/** Every match of `pattern` in the file's code; `at` is `path:line`, for which few are asked. */
export const matchesIn = (
  file: SourceFile,
  pattern: RegExp,
): readonly { readonly at: string; readonly match: RegExpMatchArray }[] =>
  [...file.code.matchAll(pattern)].map((match) => ({
    get at() {
      return `${file.path}:${lineAt(file.code, match.index)}`
    },
    match,
  }))

function masksOf(path: string, text: string) {
  if (path.endsWith('.tsx')) return maskOf(unmarked(text))
  return /\.(ts|js)$/.test(path) ? maskOf(text) : { uncommented: text, code: text }
}

/** The ends of elements would read as regular expressions; their texts write ’ for '. */
const unmarked = (text: string): string =>
  text.replaceAll('</', '<_').replaceAll(' />', ' _>').replaceAll('<>', '< ')
