import type { Request, Route } from '../edge/http/route.ts'
import { Fault } from '../faults.ts'
import { limits } from '../limits.ts'
import type { Db } from '../parts/store/postgres/connection/client.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { openPacing } from '../runtime/rate-pacing.ts'
import { restingShares } from '../runtime/resting-shares.ts'
import type { Leave, Shares } from '../runtime/shares.ts'
import { openShares } from '../runtime/shares.ts'
import type { MainNeeds } from './parts.ts'

/** The same routes, each of which reaches the store through the share of who calls it. */
export type Sharing = (on: RoutesOn) => readonly Route[]

/** Makes the routes on a given connection of the store. */
export type RoutesOn = (db: Db) => readonly Route[]

/**
 * Every request reaches the store through its business's share of the connections, so that no
 * business holds up another by asking for much at once. Reads that may look at far more than they
 * answer have connections of their own, and end when nobody waits for them any more.
 * [machines#backpressure]
 */
export function storeShares({ config, store, metrics, life }: MainNeeds): Sharing {
  const requests = openShares({
    total: limits.requestConnectionsMax,
    each: limits.businessConnectionsMax,
    waitMs: limits.connectionWaitMs,
    waitingMax: limits.businessWaitingMax,
  })
  const scans = openShares({
    total: limits.scansMax,
    each: limits.businessScansMax,
    waitMs: limits.connectionWaitMs,
    waitingMax: limits.businessScansWaitingMax,
  })
  const scanPlaces = restingShares(scans, limits.scanUseHalfMs)
  const scanning = openDb({
    url: store.url,
    connectionsMax: limits.scansMax,
    name: 'sluice scans',
    deadlineMs: limits.scanStatementMs,
    allowedOff: config.databaseAllowOff,
  })
  life.own('scan connections', () => scanning.close())
  const catalogPace = openPacing(limits.catalogPacing)
  metrics.storeShares.sampled(() => [
    ...levelsOf('requests', requests),
    ...levelsOf('scans', scans),
  ])
  return (on) =>
    on(store.db).map((route, index) => {
      const isOf = (db: Db) => on(db)[index] as Route
      const handler: Route['handler'] = (request) =>
        isScan(route, request) ? scan(isOf, request) : ask({ route, isOf }, request)
      return { ...route, handler }
    })

  /**
   * Its group's routes are made anew on the business's share of the connections, which is no small
   * part of a small read: so once a request.
   */
  async function ask({ route, isOf }: Shared, request: Request): ReturnType<Route['handler']> {
    const name = nameOf(route, request)
    if (movesCatalog(route)) await catalogPace(name)
    const enter = () => requests.enter(name)
    return isOf(store.db.within({ enter, signal: null })).handler(request)
  }

  /** One place, and so one connection, for the whole read. */
  async function scan(isOf: Shared['isOf'], request: Request): ReturnType<Route['handler']> {
    const over = new AbortController()
    request.onOver(() => over.abort(nobody()))
    const { signal } = over
    const leave = await scanPlaces.enter(request.caller.businessId, signal)
    const enter = oneAtATime(signal)
    return isOf(scanning.within({ enter, signal })).handler(request).finally(leave)
  }
}

/** A route as it is on no share, and the same on any connection. */
interface Shared {
  readonly route: Route
  readonly isOf: (db: Db) => Route
}

/** Whose share it is; pages that need no key have one together. */
const nameOf = (route: Route, request: Request): string =>
  isKeyless(route, request) ? `pages ${request.mode}` : request.caller.businessId

const isKeyless = ({ access, opener }: Route, request: Request): boolean =>
  access === 'public' ||
  (opener !== undefined &&
    request.query(opener) !== null &&
    request.header('authorization') === null)

/** Lists that filter, and deep pages, look at more than they answer. */
function isScan(route: Route, request: Request): boolean {
  if (route.scans === true) return true
  if (route.method !== 'GET' || isKeyless(route, request)) return false
  const names = request.queried()
  if (names.some((name) => !pageNames.has(name))) return true
  const [number, size] = ['page_number', 'page_size'].map((name) => Number(request.query(name)))
  return (number ?? 0) * (size || limits.pageSizeDefault) >= limits.pageDepthMax
}

/** Whether a route changes what measuring works from. [machines#the-catalogue-while-it-changes] */
const movesCatalog = ({ method, pattern }: Route): boolean =>
  method !== 'GET' && /^\/(meters|credit-entitlements)(\/:id(\/\w+)?)?$/.test(pattern)

const pageNames: ReadonlySet<string> = new Set(['page_number', 'page_size'])

const levelsOf = (kind: 'requests' | 'scans', { held, waiting }: Shares) =>
  [
    [{ kind, state: 'held' }, held],
    [{ kind, state: 'waiting' }, waiting],
  ] as const

const nobody = (): Fault => new Fault('UNAVAILABLE', 'Nobody waits for this any more.')

function oneAtATime(signal: AbortSignal): () => Promise<Leave> {
  const own = openShares({
    total: 1,
    each: 1,
    waitMs: limits.scanMs,
    waitingMax: Number.POSITIVE_INFINITY,
  })
  return () => own.enter('', signal)
}
