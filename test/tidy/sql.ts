import type { Rule, SourceFile } from './tree.ts'
import { isScript, lineAt } from './tree.ts'

const insert =
  /\binsert\s+into\s+(?<table>[\w%."]+|\$\{[^}]*\})(?:\s+as\s+\w+)?\s*\\?(?<columns>\(?)/gi

/**
 * A column that a table gets must not move what others write: an insert names its columns, and what
 * it takes from elsewhere by name, too.
 */
export const namedColumns: Rule = (files) =>
  files
    .filter((file) => isScript(file) || file.path.endsWith('.sql'))
    .filter(({ path }) => !path.startsWith('test/tidy/'))
    .flatMap((file) => {
      const sql = withoutComments(file)
      return [...sql.matchAll(insert)].flatMap(({ index, 0: match, groups }) => {
        const at = `${file.path}:${lineAt(sql, index)}: inserts into ${groups?.['table']}`
        if (groups?.['columns'] !== '(') return [`${at} by position. Name the columns.`]
        return takesAll(sql.slice(sql.indexOf(')', index + match.length) + 1))
          ? [`${at} all that there is, by position. Name what it takes.`]
          : []
      })
    })

/** Whether a list of columns is followed by a select that has a star in its own list. */
function takesAll(rest: string): boolean {
  const [, list] = rest.match(/^\s*select\s+(?:distinct\s+)?(.*?)\bfrom\b/is) ?? []
  return list !== undefined && /(?:^|,)\s*(?:\w+\.)?\*\s*(?:,|$)/.test(list)
}

const withoutComments = (file: SourceFile): string =>
  file.uncommented.replace(/--.*$/gm, (comment) => ' '.repeat(comment.length))
