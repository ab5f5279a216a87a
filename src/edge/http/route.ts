import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { Flowing } from './flowing.ts'

/** Whose key it is. The business is never taken from a body. */
export interface Caller {
  readonly keyId: string
  readonly businessId: string
  readonly mode: Mode
  readonly access: 'read' | 'write'
  /** How far the business's test clock runs ahead of real time. */
  readonly clockAhead: Duration
  /** How old an event may be that the key sends; 0: as old as by any key. */
  readonly backfill: Duration
}

/** What a handler is given: a request that is authenticated, bounded and parsed. */
export interface Request {
  /** The request's id, in every log line and error. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly caller: Caller
  /** That of the host, which is the caller's where there is one. */
  readonly mode: Mode
  /** The business's time: real time, moved ahead by its test clock. */
  readonly at: Instant
  /** A path parameter, percent-decoded. */
  param(name: string): string
  /** A query parameter, the last one if repeated; null when absent. */
  query(name: string): string | null
  /** A header by its lower-case name; null when absent. */
  header(name: string): string | null
  /** The names of the query's parameters. */
  queried(): readonly string[]
  /** The parsed JSON body, or the Form of a page; undefined when the route takes none. */
  readonly body: unknown
  /** Calls `over` when the answer is sent, or the client is gone, so that nobody waits any more. */
  onOver(over: () => void): void
}

/** `body` is sent as JSON; undefined sends none (204). */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  /** Sent as it is in place of `body`: a page, a file. `headers` must name its Content-Type. */
  readonly raw?: string | Uint8Array
  /** A body that goes on until one side ends it, in place of `body` and `raw`. */
  readonly flowing?: Flowing
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (request: Request) => Promise<Reply>

/**
 * `read` and `write` need a key with that access; `public` needs none (and must not read `caller`).
 */
export type RouteAccess = 'read' | 'write' | 'public'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** For example `/meters/:id/unarchive`. */
  readonly pattern: string
  readonly access: RouteAccess
  /** `required`: there must be a JSON body; `form`: that of a page; `none`: it is not read. */
  readonly bodyKind: 'required' | 'form' | 'none'
  readonly handler: Handler
  /**
   * `any`: the handler itself takes care of texts that cannot be stored (with NUL, or half of a
   * surrogate pair). Otherwise a body with such texts is refused with 422.
   */
  readonly bodyTexts?: 'any'
  /** An empty body is passed on as undefined, for the handler to refuse. Absent: 400. */
  readonly emptyBody?: 'undefined'
  /** The route may read far more than it answers, so it gets a share of what such reads may use. */
  readonly scans?: true
  /** Media types that the body may have besides `application/json`; all of them are JSON. */
  readonly media?: readonly string[]
  /**
   * Whether a request with these headers may come without a body, which then is undefined. Absent:
   * none may.
   */
  readonly mayLackBody?: (header: Request['header']) => boolean
  /** How long the handler may take before the answer is 503; absent: the general bound. */
  readonly handlerMs?: number
  /** Called with every answer of this route: the handler's, and refusals in front of it. */
  readonly answered?: (status: number, seconds: number) => void
}

/** POST, PATCH and PUT take a body unless `options` says otherwise. */
export function route(
  method: Route['method'],
  pattern: string,
  access: RouteAccess,
  handler: Handler,
  bodyKind: Route['bodyKind'] = method === 'GET' || method === 'DELETE' ? 'none' : 'required',
): Route {
  return { method, pattern, access, bodyKind, handler }
}

/** Marks a route that may read far more than it answers. */
export const scanning = (route: Route): Route => ({
  ...route,
  scans: true,
  handlerMs: limits.scanMs,
})

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })
/** A success without content is 204. [requests#answers] */
export const noContent: Reply = { status: 204 }
