import { readFileSync } from 'node:fs'

/** An operation of the description by its id, with an answer that it gave. */
type Examples = Readonly<Record<string, unknown>>

const file = new URL('./examples.json', import.meta.url)

const examples = JSON.parse(readFileSync(file, 'utf8')) as Examples

/**
 * What a real server answered: `EXAMPLES=record npm test -- test/e2e/description.test.ts` writes
 * them down anew, and the same suite finds what has changed. [requests#description]
 */
export const exampleOf = (id: string): { readonly example?: unknown } =>
  Object.hasOwn(examples, id) ? { example: examples[id] } : {}
