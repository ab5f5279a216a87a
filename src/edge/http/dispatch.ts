import assert from 'node:assert/strict'
import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'
import { after, second } from '../../std/instant.ts'
import type { AdmissionNeeds, Arrival } from './admission.ts'
import { addressOf, admit } from './admission.ts'
import type { Envelope } from './answer.ts'
import type { BodyTiming, IncomingBody } from './body.ts'
import { incomingBody, noBody } from './body.ts'
import type { ByteBudget } from './budget.ts'
import type { Cors } from './cors.ts'
import type { Exchanges } from './exchange.ts'
import { readHead } from './head.ts'
import type { InflatingRoom } from './json.ts'
import { inflated, isGzip } from './json.ts'
import { noRoute } from './no-route.ts'
import type { Telling } from './problem.ts'
import { problem } from './problem.ts'
import { queries } from './query.ts'
import { readBody, refuseOtherKinds } from './read-body.ts'
import { readOnly } from './read-only.ts'
import type { Caller, Reply, Request, Route } from './route.ts'
import type { Found, Router } from './router.ts'
import { piecesOf, streamedBody } from './streamed-body.ts'
import type { Turns } from './turns.ts'
import type { UwsRequest, UwsResponse } from './uws-surface.ts'
import { watch } from './watching.ts'
import { zipped } from './zipped.ts'

export type HttpMetrics = AdmissionNeeds['metrics'] & {
  /**
   * Counts `http_requests_total{route,method,code}` and `http_request_duration_seconds{route}`.
   * `route` is a pattern or `unknown`, so that labels stay few.
   */
  request(route: string, method: string, status: number, seconds: number): void
}

export interface DispatchNeeds extends Telling, AdmissionNeeds {
  readonly router: Router
  readonly exchanges: Exchanges
  readonly turns: Turns
  readonly inflating: InflatingRoom
  readonly budget: ByteBudget
  /** The memory of the requests themselves while they wait for their answers. */
  readonly room: ByteBudget
  readonly clock: Clock
  readonly newId: NewId
  readonly metrics: HttpMetrics
  /** Null: no page of another origin may read what we answer. */
  readonly cors: Cors | null
  readonly bodyBytesMax: number
  /** Where a file may take what comes of a body faster than it is read. */
  readonly spillFolder: string
  readonly timing: BodyTiming & { readonly handlerMs: number }
  /** `open`; `closing`: still answers, then hangs up; `closed`: refuses. */
  readonly stage: () => 'open' | 'closing' | 'closed'
}

/** A request on its way to its answer. */
interface Visit extends Arrival {
  readonly id: string
  body: IncomingBody
}

/**
 * Leads a request to its one answer. Refusals have a fixed order: framing, key (401), rate (429),
 * route (404), access (403), size (413), media (415), JSON (400), and then those of the handler. A
 * route that does not exist needs no key. [requests#refusals]
 */
export function dispatcher(needs: DispatchNeeds, modeOf: (host: string) => Mode | null) {
  return (res: UwsResponse, req: UwsRequest): void => {
    const exchange = needs.exchanges.start(res)
    const head = readHead(req)
    if (head.last) exchange.last()
    const id = requestId(head.header('x-request-id'), needs.newId)
    if (!enter(needs, { exchange, head })) {
      turnAway(needs, { id, head, exchange })
      return
    }
    const found = attempt(() => needs.router.find(head.method, head.path))
    const route = found instanceof Error ? null : found.route
    const mode = modeOf(head.host)
    const visit: Visit = {
      id,
      head,
      exchange,
      body: noBody,
      route,
      mode,
      address: null,
      rated: null,
    }
    visit.body = bodyOf(res, needs, visit)
    observe(needs, visit)
    void serve(needs, visit, found)
  }
}

/** Takes a request in. False when too many wait already. */
function enter(
  { room }: DispatchNeeds,
  { exchange, head }: Pick<Visit, 'exchange' | 'head'>,
): boolean {
  const cost = limits.requestBytes + head.bytes
  if (!room.take(cost)) return false
  exchange.onOver(() => room.give(cost))
  return true
}

function turnAway(needs: DispatchNeeds, request: Pick<Visit, 'exchange' | 'head' | 'id'>): void {
  const visit = { ...request, body: noBody, route: null, mode: null, address: null, rated: null }
  request.exchange.last()
  observe(needs, visit)
  request.exchange.answer(refusal(needs, visit, crowded()), envelope(needs, visit, true))
}

function bodyOf(res: UwsResponse, needs: DispatchNeeds, visit: Visit): Visit['body'] {
  const { bodyBytesMax, budget, clock, timing } = needs
  const { exchange, head, route } = visit
  // Where an ambiguous request ends is unknown, so it is answered at once, and the connection
  // closed.
  if (!head.hasBody || head.ambiguity !== null) return noBody
  const collect = route !== null && route.bodyKind !== 'none'
  const { contentLength } = head
  const bytesMax = route?.bodyKind === 'form' ? formBytesMax(needs) : bodyBytesMax
  if (route?.bodyKind === 'stream') {
    const bytesMax = route.streamBytesMax ?? bodyBytesMax
    const completed = () => startHandling(needs, visit, route)
    const own = { bytesMax, completed, spillFolder: needs.spillFolder }
    return streamedBody(res, exchange, { ...own, budget, clock, contentLength, timing })
  }
  return incomingBody(res, exchange, { budget, bytesMax, clock, collect, contentLength, timing })
}

const formBytesMax = ({ bodyBytesMax }: DispatchNeeds): number =>
  Math.min(bodyBytesMax, limits.formBytesMax)

function observe({ clock, metrics }: DispatchNeeds, { exchange, head, route }: Visit): void {
  exchange.onOver((status) => {
    const seconds = ((exchange.beganAt ?? clock.now()) - exchange.startedAt) / second
    metrics.request(route?.pattern ?? 'unknown', methodLabel(head.method), status, seconds)
    route?.answered?.(status, seconds)
  })
}

async function serve(needs: DispatchNeeds, visit: Visit, found: Found | Error): Promise<void> {
  const { body, exchange, head } = visit
  try {
    let reply: Reply
    try {
      const judged = await judge(needs, visit, found)
      const ready = zipped(judged, head)
      reply = ready instanceof Promise ? await ready : ready
    } catch (error) {
      // A client that has hung up gets no answer, and its fault interests nobody.
      if (exchange.over && error instanceof Fault) return
      reply = refusal(needs, visit, error)
    }
    const skipped = body.skip()
    const whole = typeof skipped === 'boolean' ? skipped : await skipped
    const last = head.last || head.method === 'HEAD' || needs.stage() !== 'open'
    const around = envelope(needs, visit, last || !whole)
    if (reply.content === undefined) exchange.answer(reply, around)
    else exchange.answer(reply, around, (error) => refusal(needs, visit, error))
    if (reply.flowing !== undefined) watch(needs.auth, visit)
  } catch (error) {
    // A reply that cannot be written is a bug of its handler; the client still gets an answer.
    exchange.answer(refusal(needs, visit, error), envelope(needs, visit, true))
  }
}

function envelope(needs: DispatchNeeds, visit: Visit, close: boolean): Envelope {
  const { head, id: requestId } = visit
  const rated = visit.rated ?? needs.rates.seen(addressOf(needs, visit))
  const cors = needs.cors === null ? null : needs.cors.headersFor(head)
  return { requestId, rated, headOnly: head.method === 'HEAD', close, cors }
}

const refusal = (needs: DispatchNeeds, { id }: Visit, error: unknown): Reply =>
  problem(error, id, needs)

async function judge(needs: DispatchNeeds, visit: Visit, found: Found | Error): Promise<Reply> {
  const { exchange, head, mode } = visit
  if (head.ambiguity !== null) throw new Fault('INVALID_REQUEST_PARAMETERS', head.ambiguity)
  if (needs.stage() === 'closed') throw stopping()
  const admitting = admit(needs, visit)
  const caller = admitting instanceof Promise ? await admitting : admitting
  if (mode === null) throw new Fault('NOT_FOUND', 'This host serves neither test nor live mode.')
  if (found instanceof Error) throw found
  if (found.route === null) return noRoute(needs, visit, found.allow)
  const { params, route } = found
  if (caller?.access === 'read' && route.access === 'write') throw readOnly(route)
  if (route.bodyKind === 'stream') {
    const body = piecesOf(visit.body)
    return route.handler(request(visit, { body, caller, mode, params }))
  }
  const came = route.bodyKind === 'none' ? null : await visit.body.bytes()
  const lacks = came?.length === 0 && route.mayLackBody?.(head.header) === true
  const sent = lacks ? null : came
  // The wait for a turn counts as well.
  startHandling(needs, visit, route)
  refuseOtherKinds(head, route, sent)
  const name = caller?.businessId ?? ''
  const zipped = sent !== null && isGzip(head)
  const bytes = zipped ? await inflated(sent, needs.inflating, { name, exchange }) : sent
  const turn = bytes === null ? null : needs.turns.wait(name)
  if (turn !== null) await turn
  // It was answered, or its client hung up, while it waited: there is nobody to work for.
  if (exchange.over) throw tooSlow()
  const body = bytes === null ? undefined : readBody(bytes, route)
  return route.handler(request(visit, { body, caller, mode, params }))
}

const startHandling = (needs: DispatchNeeds, visit: Visit, route: Route): void =>
  visit.exchange.expireIn(route.handlerMs ?? needs.timing.handlerMs, () => expire(needs, visit))

function expire(needs: DispatchNeeds, visit: Visit): void {
  visit.exchange.answer(refusal(needs, visit, tooSlow()), envelope(needs, visit, true))
}

interface Given {
  readonly body: unknown
  readonly caller: Caller | null
  readonly mode: Mode
  readonly params: ReadonlyMap<string, string>
}

function request(
  { address, exchange, head, id }: Visit,
  { body, caller, mode, params }: Given,
): Request {
  const { query, queried } = queries(head.query)
  // Written as one literal: a spread costs ten times as much, for every request.
  const asked: Request = {
    id,
    method: head.method,
    path: head.path,
    body,
    at: after(exchange.startedAt, caller?.clockAhead ?? 0),
    param(name) {
      const value = params.get(name)
      assert(value !== undefined, `The route has no parameter '${name}'.`)
      return value
    },
    query,
    queried,
    header: head.header,
    onOver: (ended) => exchange.onOver(ended),
    caller: caller ?? nobody,
    mode: caller?.mode ?? mode,
    address,
  }
  return asked
}

/**
 * Stands for the caller of a public route, which must not ask for it. One for all: a request with a
 * getter of its own would not be collected early (see exchange.ts).
 */
const nobody: Caller = new Proxy({} as Caller, {
  get() {
    throw new assert.AssertionError({ message: 'A public route asked for its caller.' })
  },
})

function requestId(sent: string | null, newId: NewId): string {
  return sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : newId('req')
}

/** Clients invent methods, which must not become labels. */
function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other'
}
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const crowded = (): Fault =>
  new Fault('UNAVAILABLE', 'Too many requests wait for their answers just now; try again.', {
    retryAfterSeconds: 1,
  })

const stopping = (): Fault =>
  new Fault('UNAVAILABLE', 'The server is stopping; try again.', { retryAfterSeconds: 1 })

const tooSlow = (): Fault =>
  new Fault('UNAVAILABLE', 'The answer took too long; it may or may not have been applied.', {
    retryAfterSeconds: 1,
  })
