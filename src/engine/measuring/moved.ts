import type { LogSlice } from '../../parts/event-log/port.ts'
import type { Committed, Measured, Versions } from '../../parts/store/measuring.ts'
import type { MeasureResult } from '../../rules/meter/measure-types.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import { second } from '../../std/instant.ts'
import type { Part } from './commit-slice.ts'

/** So many stale answers are met by loading what moved; then it is held. */
export const staleMax = 2

/** So many more by holding what has moved so far; then all that the batch was measured by is. */
const heldMax = 3

/**
 * What had to be held is held at once for so long, whether it moves meanwhile or not: then it is
 * tried without again, which a batch in hundreds pays for.
 */
export const restlessFor = 10 * second

/** What a poll brought, and when it began and ended. */
export interface Polled {
  readonly slices: readonly LogSlice[]
  readonly from: Instant
  readonly to: Instant
}

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
  /** How often something did, or as good as did. */
  readonly times: number
  /** Whether something did. */
  readonly found: boolean
  /** What did last; null: nothing has. */
  readonly latest: Versions | null
  /** What is to be held. */
  readonly versions: Versions
  add(stale: Extract<Committed, { kind: 'stale' }>, write: Measured): void
}

/** `restless`: what is to be held from the beginning. */
export function movedVersions(restless: Versions = none): MovedVersions {
  const catalogs = new Map<string, Versions['catalogs'][number]>()
  const customers = new Map<string, Versions['customers'][number]>()
  const moved = { times: 0, found: false, latest: null as Versions | null, versions: none, add }
  if (restless.catalogs.length + restless.customers.length > 0) {
    collect(restless)
    Object.assign(moved, { times: staleMax, latest: restless, versions: restless })
  }
  return moved

  function add(stale: Versions, write: Measured): void {
    moved.times += 1
    moved.found = true
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
 * What had to be held lately. Whoever changes that all the time would cost every batch the tries
 * that come before holding; it is held at once by those that need it.
 */
export function restlessVersions(monotonic: () => Duration) {
  const until = new Map<string, Duration>()
  return { held, of }

  function held({ times, found, versions }: MovedVersions): void {
    if (!found || times < staleMax) return
    const end = monotonic() + restlessFor
    for (const one of [...versions.catalogs, ...versions.customers]) until.set(nameOf(one), end)
  }

  /** Of these, what is restless. */
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
