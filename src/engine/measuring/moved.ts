import type { LogSlice } from '../../parts/event-log/port.ts'
import type { Committed, Measured, Versions } from '../../parts/store/measuring.ts'
import type { MeasureResult } from '../../rules/meter/measure-types.ts'
import type { Part } from './part.ts'

/** So many stale answers are met by loading what moved; then it is held. */
export const staleMax = 2

/** So many more by holding what has moved so far; then all that the batch was measured by is. */
const heldMax = 3

/** What is on its way to the store: slices, what they hold, and which of it is ours. */
export interface Batch {
  readonly slices: readonly LogSlice[]
  readonly parts: readonly Part[]
  readonly result: MeasureResult
}

export interface Tried {
  readonly result: MeasureResult
  readonly write: Measured
  readonly answer: Committed
}

/** What has moved under a batch that is to be committed. */
export interface MovedVersions {
  /** How often something did. */
  readonly times: number
  /** What did last; null: nothing has. */
  readonly latest: Versions | null
  /** What is to be held. */
  readonly versions: Versions
  add(stale: Extract<Committed, { kind: 'stale' }>, write: Measured): void
}

export function movedVersions(): MovedVersions {
  const catalogs = new Map<string, Versions['catalogs'][number]>()
  const customers = new Map<string, Versions['customers'][number]>()
  const moved = { times: 0, latest: null as Versions | null, versions: none, add }
  return moved

  function add(stale: Versions, write: Measured): void {
    moved.times += 1
    moved.latest = { catalogs: stale.catalogs, customers: stale.customers }
    collect(stale)
    if (moved.times >= staleMax + heldMax) {
      collect({ catalogs: write.catalogs, customers: write.routes })
    }
    moved.versions = { catalogs: [...catalogs.values()], customers: [...customers.values()] }
  }

  function collect(versions: Versions): void {
    for (const one of versions.catalogs) catalogs.set(`${one.mode} ${one.businessId}`, one)
    for (const one of versions.customers) {
      customers.set(`${one.mode} ${one.businessId} ${one.customerId}`, one)
    }
  }
}

const none: Versions = { catalogs: [], customers: [] }
