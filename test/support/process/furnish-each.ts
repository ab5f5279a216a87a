import { openCommandStore } from '../../../src/compose/store.ts'
import { readConfig } from '../../../src/config.ts'
import { createBusiness } from '../../../src/operations/businesses/create-business.ts'
import { createKey } from '../../../src/operations/businesses/create-key.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { lifecycle } from '../../../src/runtime/lifecycle.ts'
import { openLogger } from '../../../src/runtime/logger.ts'
import type { Furnished } from './furnished.ts'
import type { Environment } from './server.ts'
import { free } from './server.ts'

/**
 * Makes `count` businesses and their keys on the store that `settings` name, by what the operator's
 * commands do: as commands, four processes would load all of it for each business.
 */
export async function furnishEach(
  settings: Environment,
  count: number,
): Promise<readonly Furnished[]> {
  const logger = openLogger({ level: 'warn', part: 'test' })
  const life = lifecycle(logger)
  try {
    const config = readConfig({ ...free, ...settings })
    const store = await openCommandStore({ config, logger, life }, false)
    const needs = { ...store, clock: systemClock(), newId: randomIds() }
    const made: Furnished[] = []
    for (let turn = 0; turn < count; turn += 1) {
      const businessId = await createBusiness(needs, { name: 'Outside', rateTier: 'unlimited' })
      const key = async (mode: 'test' | 'live', access: 'read' | 'write', name: string | null) =>
        (await createKey(needs, { businessId, mode, access, name })).apiKey
      const write = await key('test', 'write', 'writer')
      const read = await key('test', 'read', null)
      made.push({ businessId, keys: { write, read, live: await key('live', 'write', null) } })
    }
    return made
  } finally {
    await life.stop(10_000)
  }
}
