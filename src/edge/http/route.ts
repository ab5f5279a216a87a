import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Duration, Instant } from '../../std/instant.ts'
import type { Content } from './content.ts'
import type { Flowing } from './flowing.ts'
import type { OwnWindows } from './rates.ts'

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
  /** The caller's; where there is none, that of the host. */
  readonly mode: Mode
  /** The client's, each with one spelling; null where the request was counted by its key. */
  readonly address: string | null
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
  /**
   * The parsed JSON body, the Form of a page, the bytes, or the pieces of a stream; undefined when
   * the route takes none.
   */
  readonly body: unknown
  /** How long a page may be that we ask for ourselves; absent: as long as anybody's. */
  readonly pageSizeMax?: number
  /** Calls `over` when the answer is sent, or the client is gone, so that nobody waits any more. */
  onOver(over: () => void): void
}

/** `body` is sent as JSON; undefined sends none (204). */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  /** Sent as it is in place of `body`: a page, a file. `headers` must name its Content-Type. */
  readonly raw?: string | Uint8Array
  /** A body that is read while it is sent, in place of `body` and `raw`. */
  readonly content?: Content
  /** A body that goes on until one side ends it, in place of `body` and `raw`. */
  readonly flowing?: Flowing
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (request: Request) => Promise<Reply>

/**
 * `read` and `write` need a key with that access; `public` needs none (and must not read `caller`).
 */
export type RouteAccess = 'read' | 'write' | 'public'

/**
 * Finds out who calls by something else than a key, such as the cookie of a person. Asked before a
 * byte of the body is used, and again while an answer goes on. @throws Fault UNAUTHORIZED
 */
export type Visitor = (head: Pick<Request, 'header' | 'method'>) => Promise<Caller>

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** For example `/meters/:id/unarchive`. */
  readonly pattern: string
  readonly access: RouteAccess
  /**
   * `required`: there must be a JSON body; `form`: that of a page; `bytes`: of any kind, kept whole;
   * `stream`: of any kind, read by the handler while it comes; `none`: it is not read.
   */
  readonly bodyKind: 'required' | 'form' | 'bytes' | 'stream' | 'none'
  readonly handler: Handler
  /** Who calls, where no key says it; the request counts for its address, as that of a page. */
  readonly visitor?: Visitor
  /**
   * `any`: the handler itself takes care of texts that cannot be stored (with NUL, or half of a
   * surrogate pair). Otherwise a body with such texts is refused with 422.
   */
  readonly bodyTexts?: 'any'
  /** The JSON is passed on as bytes: the handler parses them, before it does anything else. */
  readonly parsesItself?: true
  /** An empty body is passed on as undefined, for the handler to refuse. Absent: 400. */
  readonly emptyBody?: 'undefined'
  /** The route may read far more than it answers, so it gets a share of what such reads may use. */
  readonly scans?: true
  /** Whether people look at the answers in a browser: counted apart. [requests#limits] */
  readonly isPage?: true
  /** How large a stream may become; absent: as large as any body. */
  readonly streamBytesMax?: number
  /** Media types that the body may have besides `application/json`; all of them are JSON. */
  readonly media?: readonly string[]
  /**
   * Whether a request with these headers may come without a body, which then is undefined. Absent:
   * none may.
   */
  readonly mayLackBody?: (header: Request['header']) => boolean
  /**
   * A parameter of the query that lets a request in without a key; the handler judges it, and must
   * not read `caller` of a request without `Authorization`.
   */
  readonly opener?: string
  /** Windows of its own, in which its requests are counted besides the general ones. */
  readonly windows?: OwnWindows
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

/** A page, or what pages load: it needs no key. */
export const pageRoute = (
  method: 'GET' | 'POST',
  pattern: string,
  handler: Handler,
  bodyKind: 'none' | 'form' = method === 'GET' ? 'none' : 'form',
): Route => ({ ...route(method, pattern, 'public', handler, bodyKind), isPage: true })

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
