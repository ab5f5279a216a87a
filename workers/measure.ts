import { catalogCache } from '../src/rules/meter/catalog.ts'
import type { IdFingerprinter } from '../src/rules/meter/measure.ts'
import { measure } from '../src/rules/meter/measure.ts'
import { measureAgain } from '../src/rules/meter/measure-again.ts'
import type {
  MeasureAgainTask,
  MeasuredAgain,
  MeasureResult,
  MeasureTask,
} from '../src/rules/meter/measure-types.ts'
import { sameBytes } from '../src/std/bytes.ts'
import { createFingerprinter } from '../src/std/fingerprint.ts'

// A worker measures many tasks: what it has compiled for one serves the others.
const compiled = catalogCache()
let keyed: { readonly key: Uint8Array; readonly fingerprinter: IdFingerprinter } | null = null

/**
 * Turns records of the event log into columns. They are copied to the calling thread: their arrays
 * have no room to spare, so that a copy is small.
 */
export default function run(task: MeasureTask): MeasureResult
export default function run(task: MeasureAgainTask): MeasuredAgain
export default function run(task: MeasureTask | MeasureAgainTask): MeasureResult | MeasuredAgain {
  if ('catalogs' in task) return measureAgain(task)
  return measure(task, fingerprinterOf(task.fingerprintKey), compiled(task.catalog))
}

function fingerprinterOf(key: Uint8Array): IdFingerprinter {
  if (keyed === null || !sameBytes(keyed.key, key))
    keyed = { key: Uint8Array.from(key), fingerprinter: createFingerprinter(key) }
  return keyed.fingerprinter
}
