import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import { fingerprintWords } from '../../std/fingerprint.ts'
import type { Instant } from '../../std/instant.ts'
import { after, formatInstant } from '../../std/instant.ts'
import { isStorable } from '../../std/text.ts'
import { assign } from './assign.ts'
import { compileCatalogs } from './catalog.ts'
import type { IdFingerprinter } from './measure.ts'
import { measure } from './measure.ts'
import type { CatalogMeter } from './measure-types.ts'
import type { Mode } from './meter.ts'
import type { DefaultLinks, Stretch, SubscriptionRoute } from './route.ts'
import { segmentAt } from './route.ts'
import type { UsageDelta } from './usage-delta.ts'

/** What measuring worked from at an earlier moment, for one customer's events of one name. */
export interface MeasuredUnder {
  readonly meters: readonly CatalogMeter[]
  readonly links: readonly DefaultLinks[]
  readonly routes: readonly SubscriptionRoute[]
}

/** Lines of the log: events of one customer that were received together, without repeats. */
export interface ReceivedLines {
  readonly businessId: string
  readonly mode: Mode
  /** The lines without their line feeds. */
  readonly lines: readonly string[]
  /** Log time. */
  readonly receivedAt: Instant
}

/**
 * What events were measured into: measures them again with what measuring knew then.
 * [machines#the-log]
 */
export function measuredInto(
  { businessId, mode, lines, receivedAt }: ReceivedLines,
  { meters, links, routes }: MeasuredUnder,
): readonly UsageDelta[] {
  const value = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  const record = { offset: 0, at: receivedAt, events: lines.length, value }
  const catalogOf = compileCatalogs([{ businessId, mode, version: 1, meters }])
  const slices = [{ partition: 0, records: [record] }]
  const result = measure({ slices }, unnamed, catalogOf)
  assert(result.events === lines.length, 'what was measured once can be measured again')
  const fresh = new Uint8Array(lines.length).fill(1)
  return assign({ result, fresh, routesOf: () => routes, linksOf: () => links }).usage
}

/** Zeros in place of fingerprints, since it is known already which events are repeats. */
const unnamed: IdFingerprinter = {
  fingerprints: (_businessId, _mode, ids) => new Uint32Array(ids.length * fingerprintWords),
}

/** The present stretches of a route by its id; none for a route that no longer exists. */
export type StretchesNow = (routeId: string) => readonly Stretch[]

/**
 * Why an event that was measured into `usage` cannot be voided at `at` (the business's time); null:
 * it can, until an hour after the end of its cycle, which a plan change may have brought forward.
 */
export function lateForVoid(
  usage: readonly Pick<UsageDelta, 'routeId' | 'segmentAt'>[],
  stretchesNow: StretchesNow,
  at: Instant,
): string | null {
  const ends = usage.flatMap(({ routeId, segmentAt: start }) => {
    const segment = segmentAt(stretchesNow(routeId), start)
    return segment === null ? [] : [segment.cycle.end]
  })
  const first = ends.toSorted((a, b) => a - b)[0]
  if (first === undefined || at <= after(first, limits.voidGrace)) return null
  return `The cycle of this event ended at ${formatInstant(first)}; an event can be voided until an hour after the end of its cycle.`
}

/** The version of one business's catalog under which a batch was measured; null: it has none. */
export function catalogVersionIn(
  catalogs: unknown,
  owner: { readonly businessId: string; readonly mode: Mode },
): number | null {
  if (!Array.isArray(catalogs)) return null
  const own = (catalogs as readonly unknown[]).filter(isUsed).find((used) => {
    return used.business_id === owner.businessId && used.mode === owner.mode
  })
  return own?.version ?? null
}

interface UsedCatalog {
  readonly business_id: string
  readonly mode: Mode
  readonly version: number
}

const isUsed = (value: unknown): value is UsedCatalog =>
  typeof value === 'object' && value !== null && 'version' in value

/**
 * An event id as a text column can hold it. Ids that such a column cannot hold are written as JSON,
 * and so are ids that look like JSON: no two ids get the same key.
 */
export const eventKey = (eventId: string): string =>
  isStorable(eventId) && !eventId.startsWith('"') ? eventId : JSON.stringify(eventId)

/** The event id of such a key. */
export const eventIdOf = (key: string): string =>
  key.startsWith('"') ? (JSON.parse(key) as string) : key
