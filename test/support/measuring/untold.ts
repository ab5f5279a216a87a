import type { MeasuredNews } from '../../../src/operations/events/await-position.ts'
import { sharedSignal } from '../../../src/runtime/shared-signal.ts'

/** Nobody says when more is measured: who waits looks every few milliseconds. */
export const untold = (): MeasuredNews => ({ signal: sharedSignal(), waitMs: 2 })
