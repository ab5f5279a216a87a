import assert from 'node:assert/strict'
import type { Furnished } from './furnished.ts'
import type { Environment } from './server.ts'

/** A business on the store that `settings` name. */
export async function furnish(settings: Environment): Promise<Furnished> {
  // Not loaded by the many files that talk to a server alone.
  const { furnishEach } = await import('./furnish-each.ts')
  const [made] = await furnishEach(settings, 1)
  assert(made !== undefined)
  return made
}
