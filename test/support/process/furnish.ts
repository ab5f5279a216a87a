import assert from 'node:assert/strict'
import type { Furnished } from './furnished.ts'
import type { Environment } from './server.ts'
import { sluice } from './server.ts'

/** A business on the store that `settings` name. */
export async function furnish(settings: Environment): Promise<Furnished> {
  // Not loaded by the many files that talk to a server alone.
  const { furnishEach } = await import('./furnish-each.ts')
  const [made] = await furnishEach(settings, 1)
  assert(made !== undefined)
  return made
}

/** Runs one of the operator's commands, and answers what it prints with `--json`. */
export async function operate(settings: Environment, words: readonly string[]) {
  const { status, out, error } = await sluice([...words, '--json'], settings)
  assert.equal(status, 0, error)
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}
