import type { Caller, Reply, Request, Route } from '../../../src/edge/http/route.ts'
import { Fault } from '../../../src/faults.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf } from '../../../src/std/instant.ts'

/**
 * Calls routes without a server, and does what the server would: matches, decodes, answers faults.
 */
export interface Call {
  (target: `${Route['method']} /${string}`, body?: unknown): Promise<Answer>
  /** The same routes, called by somebody else or at another time. */
  as(change: Partial<Caller & { at: Instant }>): Call
}

export interface Answer {
  readonly status: number
  readonly body: AnswerBody
}

/** The fields that tests read by name; an answer may have others. */
export interface AnswerBody {
  readonly code: string
  readonly message: string
  readonly id: string
  readonly customer_id: string
  readonly product_id: string
  readonly items: readonly AnswerBody[]
  readonly [field: string]: unknown
}

export const somebody: Caller = {
  keyId: 'key_test',
  businessId: 'bus_test',
  mode: 'test',
  access: 'write',
  clockAhead: 0,
  backfill: 0,
}

export function caller(routes: readonly Route[], who: Partial<Caller & { at: Instant }>): Call {
  const { at = instantOf(1_800_000_000_000_000), ...rest } = who
  const call = async (target: string, body?: unknown): Promise<Answer> => {
    const [method = '', rawUrl = ''] = target.split(/ (.*)/s)
    const url = new URL(rawUrl, 'http://localhost')
    const found = routes
      .filter((route) => route.method === method)
      .map((route) => ({ route, params: match(route.pattern, url.pathname) }))
      .find(({ params }) => params !== null)
    if (found === undefined) throw new Error(`No route: ${target}`)
    const request: Request = {
      id: 'req_test',
      method,
      path: url.pathname,
      caller: { ...somebody, ...rest },
      mode: rest.mode ?? somebody.mode,
      at,
      body: body instanceof Uint8Array ? body : overTheWire(body),
      param: (name) => found.params?.get(name) ?? '',
      query: (name) => url.searchParams.getAll(name).at(-1) ?? null,
      queried: () => [...url.searchParams.keys()],
      header: () => null,
      address: null,
      onOver: () => undefined,
    }
    return found.route.handler(request).then(answered, refused)
  }
  return Object.assign(call, { as: (change: typeof who) => caller(routes, { ...who, ...change }) })
}

const answered = ({ status, body }: Reply): Answer => ({ status, body: overTheWire(body) })

function refused(error: unknown): Answer {
  if (!(error instanceof Fault)) throw error
  const { status, wireCode, message } = error
  return { status, body: overTheWire({ code: wireCode, message }) }
}

const overTheWire = (value: unknown) =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

function match(pattern: string, path: string): ReadonlyMap<string, string> | null {
  const [want, got] = [pattern.split('/'), path.split('/')]
  if (want.length !== got.length) return null
  const params = new Map<string, string>()
  for (const [index, part] of want.entries()) {
    const value = decodeURIComponent(got[index] ?? '')
    if (part.startsWith(':')) params.set(part.slice(1), value)
    else if (part !== value) return null
  }
  return params
}
