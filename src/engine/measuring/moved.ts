import type { LogSlice } from '../../parts/event-log/port.ts'
import type { Committed, Measured, Versions } from '../../parts/store/measuring.ts'
import type { MeasureResult } from '../../rules/meter/measure-types.ts'
import type { Duration } from '../../std/instant.ts'
import { second } from '../../std/instant.ts'
import type { Part } from './commit-slice.ts'
import type { Sight } from './sight.ts'

/** How many stale answers are met by loading what moved; after that it is held. */
export const staleMax = 2

/**
 * How many more are met by holding what has moved so far; after that everything that the batch was
 * measured by is held.
 */
const heldMax = 3

/**
 * For how long what once had to be held is held as soon as it has moved again, and not only when
 * loading it has been tried. Most batches find it as it was, since changes of one catalog are
 * paced: to hold it for each of them would cost them all a second measuring.
 */
export const restlessFor = 10 * second

/** The records of a poll, and when the poll began and ended. */
export interface Polled {
  readonly slices: readonly LogSlice[]
  readonly from: Sight
  readonly to: Sight
}

/** What is about to be committed: slices, what they hold, and which of them are this process's. */
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

/** The versions that have moved under a batch that is to be committed. */
export interface MovedVersions {
  /** How often versions moved; where some had to be held lately, the next time is to hold them. */
  readonly times: number
  /** What moved last; null: nothing has. */
  readonly latest: Versions | null
  /** The versions to hold. */
  readonly versions: Versions
  add(stale: Extract<Committed, { kind: 'stale' }>, write: Measured): void
}

/** `restless`: the versions to hold once anything has moved. */
export function movedVersions(restless: Versions = none): MovedVersions {
  const catalogs = new Map<string, Versions['catalogs'][number]>()
  const customers = new Map<string, Versions['customers'][number]>()
  const moved = { times: 0, latest: null as Versions | null, versions: none, add }
  if (restless.catalogs.length + restless.customers.length > 0) {
    collect(restless)
    moved.times = staleMax - 1
  }
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
    for (const one of versions.catalogs) catalogs.set(nameOf(one), one)
    for (const one of versions.customers) customers.set(nameOf(one), one)
  }
}

/**
 * Remembers what had to be held lately. A business that changes its catalog all the time would
 * otherwise cost every batch the tries that come before holding.
 */
export function restlessVersions(monotonic: () => Duration) {
  const until = new Map<string, Duration>()
  return { held, of }

  function held({ times, versions }: MovedVersions): void {
    if (times < staleMax) return
    const end = monotonic() + restlessFor
    for (const one of [...versions.catalogs, ...versions.customers]) until.set(nameOf(one), end)
  }

  /** Those versions among these that had to be held lately. */
  function of({ catalogs, groups }: MeasureResult): Versions {
    const now = monotonic()
    for (const [name, end] of until) if (end < now) until.delete(name)
    if (until.size === 0) return none
    const isRestless = (one: Named) => until.has(nameOf(one))
    return { catalogs: catalogs.filter(isRestless), customers: groups.filter(isRestless) }
  }
}

type Named = Versions['catalogs'][number] & { readonly customerId?: string }

const nameOf = ({ mode, businessId, customerId = '' }: Named): string =>
  `${mode} ${businessId} ${customerId}`

const none: Versions = { catalogs: [], customers: [] }
