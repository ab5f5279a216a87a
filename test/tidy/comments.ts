import type { Rule, SourceFile } from './tree.ts'
import { isScript, lineAt } from './tree.ts'

/**
 * A comment names who does what: the caller, a cache, an operator, another process. A reader knows
 * nobody of the name "whoever".
 */
export const namedActors: Rule = (files) =>
  commented(files).flatMap((file) =>
    commentLines(file).flatMap(({ text, number }) =>
      /\bwhoever\b/i.test(text) ? [`${file.path}:${number}: "whoever". Name the actor.`] : [],
    ),
  )

/** A docstring stands before what it explains; what is said of a whole file is a plain comment. */
export const docstringsExplain: Rule = (files) =>
  commented(files).flatMap((file) =>
    [...file.text.matchAll(/^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n[ \t]*(?:\n|\/\*\*)/gm)].map(
      ({ index }) =>
        `${file.path}:${lineAt(file.text, index)}: a docstring of nothing. Move it, or make it //.`,
    ),
  )

/** Room that a line of prose may leave: enough for a long word, and for a break by choice. */
const room = 20

/** An edit has left a line much too short where the next one goes on in the same paragraph. */
export const wholeParagraphs: Rule = (files) =>
  commented(files).flatMap((file) => {
    const lines = commentLines(file)
    return lines.flatMap(({ text, number, width, isLast }, index) => {
      const next = lines[index + 1]
      if (isLast || next?.number !== number + 1) return []
      if (!isProse(text) || !isProse(next.text)) return []
      const [word = ''] = next.text.split(' ')
      return width + 1 + word.length > 100 - room
        ? []
        : [`${file.path}:${number}: breaks off. Wrap the paragraph again.`]
    })
  })

/** Prose within a paragraph, as far as a line tells: no list, table, code or drawing. */
const isProse = (text: string): boolean =>
  /^[\w"'`(–…]/.test(text) && !/^(?:\d+[.)]|\w+:) |[|│┌└─]|:$/.test(text)

interface CommentLine {
  readonly text: string
  readonly number: number
  /** Of the whole line, with what stands before the text. */
  readonly width: number
  /** The comment ends in it. */
  readonly isLast: boolean
}

/** Lines that are nothing but comment, each without its mark. */
function commentLines(file: SourceFile): readonly CommentLine[] {
  const rest = file.uncommented.split('\n')
  return file.text.split('\n').flatMap((line, index) => {
    const [mark] = line.match(isScript(file) ? /^\s*(?:\/\*\*?|\*\/|\*|\/\/) ?/ : /^\s*-- ?/) ?? []
    if (mark === undefined || (isScript(file) && rest[index]?.trim() !== '')) return []
    const [text = '', end] = line.slice(mark.length).split(/\s*(\*\/)$/)
    return [{ text, number: index + 1, width: line.length, isLast: end !== undefined }]
  })
}

/** Migrations that are released never change again, not even in their comments. */
const commented = (files: readonly SourceFile[]): readonly SourceFile[] =>
  files.filter(
    (file) =>
      (isScript(file) || /\.(sql|lua)$/.test(file.path)) &&
      !/^test\/tidy\/|\/schema\/migrations\//.test(file.path),
  )
