import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { specRows } from './rows.ts'

it('each row of the specification has a test that is there', () => {
  const titles = specRows.map(([row, file, name]) => ({ row, file, title: titleIn(file, name) }))
  const lines = titles.map(({ row, file, title }) => `  ${row}\n    ${file}: ${title ?? 'none'}`)
  process.stdout.write(`The specification, row by row:\n${lines.join('\n')}\n`)
  expect(titles.filter(({ title }) => title === null)).toEqual([])
  expect(new Set(specRows.map(([row]) => row)).size).toBe(specRows.length)
})

/** The whole name of the test that a file has under a part of it; null: there is none. */
function titleIn(file: string, part: string): string | null {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((each) => /^\s*(it|test)\b/.test(each) && each.includes(part))
  return line === undefined ? null : (/'([^']+)'/.exec(line)?.[1] ?? line.trim())
}
