import { posix } from 'node:path'
import type { Rule, SourceFile } from './tree.ts'
import { lineAt } from './tree.ts'

/** A path of ours, a function's name with brackets, or a name in camelCase. */
const named = /`(?:([\w./-]+\.(?:ts|sql|lua|sh))|(\w+)\(\)|([a-z]+[A-Z]\w*))`/g

/**
 * A README goes on naming what somebody has moved or renamed. The files and names that one mentions
 * exist; the manual is for callers, who know none of them.
 */
export const namesThatExist: Rule = (files) => {
  const paths = files.map(({ path }) => path)
  const words = new Set(files.filter(isCode).flatMap(({ text }) => text.match(/\w+/g) ?? []))
  return files.filter(isReadme).flatMap(({ path: readme, text }) =>
    [...text.matchAll(named)].flatMap(({ index, 1: path, 2: called, 3: word }) => {
      const name = path ?? called ?? word ?? ''
      const exists = path === undefined ? words.has(name) : isThere(path, posix.dirname(readme))
      return exists
        ? []
        : [`${readme}:${lineAt(text, index)}: ${name} is not there. Name what took its place.`]
    }),
  )

  function isThere(path: string, folder: string): boolean {
    const wanted = posix.join(folder, path)
    return paths.some((each) => each === wanted || each === path || each.endsWith(`/${path}`))
  }
}

const isReadme = ({ path }: SourceFile): boolean =>
  path.endsWith('.md') && !path.startsWith('src/pages/')

const isCode = ({ path }: SourceFile): boolean => /\.(ts|js|sql|lua|sh|json)$/.test(path)
