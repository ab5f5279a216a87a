import { countedAgain } from '../../../src/operations/verify/counted-again.ts'
import { archiveStretches } from '../../../src/parts/store/postgres/archive/archive-stretches.ts'
import { audit } from '../../../src/parts/store/postgres/audit/audit.ts'
import type { VoidWorld } from './world.ts'

/** What `verify` says of usage and its events: all events read at once, and source by source. */
export async function countedAgainIn(world: VoidWorld): Promise<readonly string[]> {
  const { businessId, db, log: reader, voids } = world
  const needs = { audit: audit(db), archive: archiveStretches(db), voids, reader }
  const said: string[][] = []
  for (const allEventsMax of [0, 1_000]) {
    const sentences: string[] = []
    const found = countedAgain({ ...needs, allEventsMax }, businessId, () => undefined)
    for await (const { sentence } of found) sentences.push(sentence)
    said.push(sentences)
  }
  const [one = [], all = []] = said.map((sentences) => sentences.toSorted().join())
  if (one !== all) throw new Error(`Source by source: ${one}; all at once: ${all}.`)
  return said[1] ?? []
}
