import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

type Answers = Readonly<Record<string, unknown>>

const file = new URL('../../src/edge/api/description/examples.json', import.meta.url)

/**
 * Compares what a server answered with the examples of the description, field by field.
 * `EXAMPLES=record` writes them down anew instead.
 */
export function compareExamples(answered: Answers): void {
  if (process.env['EXAMPLES'] === 'record') {
    const sorted = Object.entries(answered).sort(([a], [b]) => (a < b ? -1 : 1))
    const known = Object.fromEntries(sorted.map(([id, answer]) => [id, shortened(answer)]))
    writeFileSync(file, `${anonymous(JSON.stringify(known, null, 2))}\n`)
    return
  }
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Answers
  const advice = 'EXAMPLES=record npm test -- test/e2e/description.test.ts'
  expect(Object.keys(recorded).length, advice).toBeGreaterThan(40)
  for (const [id, answer] of Object.entries(answered)) {
    expect([id, fieldsOf(recorded[id])], advice).toEqual([id, fieldsOf(answer)])
  }
}

/** The same with two elements of a list: more of them say no more. */
const shortened = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
    ? { ...answer, items: answer.items.slice(0, 2) }
    : answer

/** The names of an answer's fields, or of those of the first of a list. */
function fieldsOf(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return []
  const { items, data } = answer as { readonly items?: unknown; readonly data?: unknown }
  const first = [items, data].find(Array.isArray)?.[0] ?? answer
  // Those of a void stand only on the events that have one.
  return Object.keys(first as object)
    .filter((name) => !name.startsWith('void'))
    .sort()
}

/** Ids and secrets of nobody; names without what makes them unique. Names of fields stay. */
function anonymous(text: string): string {
  const seen = new Map<string, string>()
  return text
    .replace(/\b([a-z]{2,5})_[\w-]{21}\b(?!":)/g, (id, prefix: string) => {
      const known = seen.get(id)
      const next =
        known ?? `${prefix}_4hJ8fD2sK6gL0mN5bV7${String(seen.size + 10).padStart(2, '0')}`
      seen.set(id, next)
      return next
    })
    .replace(/"whsec_[^"]*"/g, '"whsec_c2x1aWNlIHNpZ25zIHdoYXQgaXQgdGVsbHMgeW91"')
    .replace(/ \d+-\d+(?=["'\\])/g, '')
}
