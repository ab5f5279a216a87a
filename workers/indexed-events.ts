import { blockIndexOf } from '../src/rules/archive/indexed-events.ts'

/** Makes the index of a block of the archive. */
export default blockIndexOf
