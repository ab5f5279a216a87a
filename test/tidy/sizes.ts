import { functionsOf } from './functions.ts'
import type { Rule, SourceFile } from './tree.ts'
import { isScript } from './tree.ts'

/** What is over a bound already, by place: it may shrink, and its number here with it. */
export type Ratchet = Readonly<Record<string, number>>

/** Two files fit side by side. Prose wraps by itself, and tables cannot. */
export const columns: Rule = (files) =>
  files
    .filter(({ path }) => /\.(tsx?|js|sql|lua)$/.test(path))
    .flatMap((file) =>
      file.text.split('\n').flatMap((line, index) => {
        // A sentence for people is searched for whole; the formatter leaves it in one line, too.
        if ([...line].length <= 100 || /['"`].{50}/.test(line)) return []
        return [`${file.path}:${index + 1}: ${[...line].length} columns. Break it before 101.`]
      }),
    )

export const fileLines = (ratchet: Ratchet): Rule =>
  bounded({
    max: 300,
    ratchet,
    advice: 'Split it by subject',
    measure: (file) => (isScript(file) ? [[file.path, linesIn(file)]] : []),
  })

/** A factory is measured without the named functions beneath it. */
// A suite is a table of sentences: what surrounds it may be as long as the table.
export const functionLines = (ratchet: Ratchet): Rule =>
  bounded({
    max: 60,
    ratchet,
    advice: 'Name its steps, each a function',
    measure: (file) =>
      isScript(file) && !file.path.startsWith('test/')
        ? functionsOf(file).map((one) => [`${file.path}:${one.line} ${one.name}`, one.ownLines])
        : [],
  })

/** Two numbers in a row are mixed up sooner or later. */
export const parameters = (ratchet: Ratchet): Rule =>
  bounded({
    max: 3,
    ratchet,
    unit: 'positional parameters',
    advice: 'Use one object with names',
    measure: (file) =>
      isScript(file) && !file.path.startsWith('test/')
        ? functionsOf(file).map((one) => [`${file.path}:${one.line} ${one.name}`, one.parameters])
        : [],
  })

export const workerLines: Rule = bounded({
  max: 60,
  advice: 'It is a thin door: move the rest to src/rules',
  measure: (file) => (file.path.startsWith('workers/') ? [[file.path, linesIn(file)]] : []),
})

export const readmeLines: Rule = bounded({
  max: 150,
  advice: 'Keep purpose, words, guarantees and invariants; say each once',
  measure: (file) => (/\/README\.md$/.test(file.path) ? [[file.path, linesIn(file)]] : []),
})

const linesIn = ({ text }: SourceFile): number => text.trimEnd().split('\n').length

function bounded(bound: {
  readonly max: number
  readonly unit?: string
  readonly ratchet?: Ratchet
  readonly advice: string
  readonly measure: (file: SourceFile) => readonly (readonly [string, number])[]
}): Rule {
  const { max, unit = 'lines', ratchet = {}, advice } = bound
  return (files) => {
    const over = new Map(
      files
        .flatMap(bound.measure)
        .filter(([, count]) => count > max)
        .map(([at, count]) => [at, { count, key: at.replace(/:\d+ /, ' ') }]),
    )
    const keys = new Map([...over.values()].map(({ key, count }) => [key, count]))
    return [
      ...[...over]
        .filter(([, { count, key }]) => count > (ratchet[key] ?? max))
        .map(([at, { count }]) => `${at}: ${count} ${unit}, ${max} at most. ${advice}.`),
      ...Object.entries(ratchet)
        .filter(([key, allowed]) => (keys.get(key) ?? max) < allowed)
        .map(([key]) => `${key}: has shrunk to ${keys.get(key) ?? `${max} or less`}. Say so here.`),
    ]
  }
}
