import type { Indexed } from '../../../src/engine/archive/indexing.ts'
import { blockIndexOf } from '../../../src/rules/archive/indexed-events.ts'

/** Makes indexes in the thread of the test. */
export const indexedHere: Indexed = async (events) => blockIndexOf(events)
