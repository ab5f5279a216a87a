import { CsvError, parse } from 'csv-parse/sync'

/** A line of a table, with the number that an editor shows. */
export interface CsvLine {
  readonly number: number
  readonly fields: Readonly<Record<string, string>>
}

/**
 * The lines of a table with this header, in any order of its columns. A text says what is wrong.
 * Blanks around a field are no part of it, nor is a mark at the beginning that says UTF-8.
 */
export function csvLines(text: string, header: readonly string[]): readonly CsvLine[] | string {
  let wrong: string | null = null
  try {
    const parsed = parse(text, {
      bom: true,
      columns: (names: readonly string[]) => {
        const found = names.map((name) => name.trim())
        if (found.toSorted().join() === header.toSorted().join()) return found
        wrong = `The first line must be ${header.join(',')}.`
        throw new Error(wrong)
      },
      info: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as readonly Parsed[]
    if (text.trim() === '') return `The first line must be ${header.join(',')}.`
    return parsed.map(({ info, record }) => ({ number: info.lines, fields: record }))
  } catch (error) {
    if (wrong !== null) return wrong
    if (error instanceof CsvError) return `This is no CSV: ${error.message}`
    throw error
  }
}

interface Parsed {
  readonly info: { readonly lines: number }
  readonly record: Readonly<Record<string, string>>
}
