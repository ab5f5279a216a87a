import { randomBytes } from 'node:crypto'
import { byteBudget } from '../../src/edge/http/budget.ts'
import type { RateCounters } from '../../src/edge/http/rates.ts'
import { ok, route } from '../../src/edge/http/route.ts'
import { openHttpServer } from '../../src/edge/http/server.ts'
import type { Uws, UwsRequest, UwsResponse } from '../../src/edge/http/uws-surface.ts'
import { ingestRoute } from '../../src/edge/ingest/ingest.ts'
import { memoryCounters } from '../../src/parts/counters/memory/counters.ts'
import { openRedisCounters } from '../../src/parts/counters/redis/counters.ts'
import { parseRedisUrl } from '../../src/parts/redis-settings.ts'
import { hashOfApiKey, mayBeApiKey, newApiKey } from '../../src/runtime/api-key.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import { instantOfMs, minute } from '../../src/std/instant.ts'
import { redisMissing, startRedis } from '../../test/support/servers/redis.ts'
import type { Goal, Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { bodiesOf, number } from '../harness/workload.ts'
import type { MicroSize } from './run.ts'
import { asChild } from './run.ts'
import { ingestNeeds, workloadOf } from './taking.ts'

/**
 * What the rate limits, and keys that do not exist, cost a request between the HTTP engine and a
 * handler: our whole edge, without sockets. Goals: limits take at most 3 µs of a request, and at
 * most 2 % of one that brings 100 events (whose cost here lacks log, dedupe and sockets).
 */
export async function benchRates(size: MicroSize): Promise<Result> {
  const [windows, requests] = size === 'full' ? [25, 8_000] : [1, 50]
  const redis = redisMissing === null ? await startRedis() : null
  const logger = openLogger({ level: 'fatal', part: 'bench' })
  const nowMs = () => Math.floor(performance.now())
  const memory = memoryCounters({ nowMs })
  const settings = redis === null ? null : parseRedisUrl(redis.url)
  const needs = { installation: 'bench', logger, alone: memory, nowMs }
  const shared = settings === null ? null : await openRedisCounters({ ...needs, redis: settings })
  const [free, own] = [await openDoor(null), await openDoor(memory)]
  const ways: Record<string, () => Promise<number>> = {
    'no limits': () => cost(free, requests, small),
    'limits of a process': () => cost(own, requests, small),
    '100 events': () => cost(own, requests / 10, large),
    'no such key': () => cost(own, requests / 2, () => unknown(false)),
    'no such key, checksum right': () => cost(own, requests / 2, () => unknown(true)),
  }
  if (shared !== null) {
    const common = await openDoor(shared)
    ways['limits in Redis'] = () => cost(common, requests, small)
  }
  const best = new Map<string, number>()
  // By turns: the machine's slow minutes hit all of them, and the best windows count.
  for (let window = 0; window < windows; window += 1) {
    for (const [name, way] of Object.entries(ways)) {
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, await way()))
    }
  }
  await shared?.close()
  await redis?.stop()
  return resultOf((name) => best.get(name) ?? Number.NaN, [...best.keys()])
}

function resultOf(of: (name: string) => number, names: readonly string[]): Result {
  const lines: readonly Line[] = names.map((label) => ({
    label,
    figures: [figure('CPU/request', of(label), 'µs')],
  }))
  const goals = names
    .filter((name) => name.startsWith('limits '))
    .flatMap((name): readonly Goal[] => {
      const cost = of(name) - of('no limits')
      const share = (100 * cost) / of('100 events')
      return [
        { name: `${name}, a request`, value: cost, unit: 'µs', target: 3, better: 'less' },
        { name: `${name}, of 100 events`, value: share, unit: '%', target: 2, better: 'less' },
      ]
    })
  return { name: 'micro: rates', lines, goals, checksum: '' }
}

/** Requests that are under way at once. */
const under = 64

/** CPU µs a request, without making it. */
async function cost(door: Door, requests: number, make: () => Sent): Promise<number> {
  const all = Array.from({ length: requests }, make)
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: under }, async () => {
      for (let sent = all.pop(); sent !== undefined; sent = all.pop()) await door(sent)
    }),
  )
  const { system, user } = process.cpuUsage(before)
  return (user + system) / requests
}

const key = newApiKey('test', 'write')
const keyHash = Buffer.from(hashOfApiKey(key))

const record = {
  keyId: 'key_bench',
  businessId: 'bus_bench',
  mode: 'test',
  access: 'write',
  // Limited, but never refused.
  rateTier: '1000000/60000000',
  clockAheadUs: 0,
  backfillUs: 0,
  revoked: false,
} as const

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
}

const always = [
  ['host', '127.0.0.1:8080'],
  ['user-agent', 'bench/1.0'],
  ['accept', '*/*'],
] as const

const authorized = ['authorization', `Bearer ${key}`] as const

const small = (): Sent => ({
  method: 'get',
  path: '/small',
  headers: [...always, authorized],
  body: null,
})

function unknown(summed: boolean): Sent {
  const made = newApiKey('test', 'write')
  const shown = summed ? made : `${made.slice(0, -1)}${made.endsWith('A') ? 'B' : 'A'}`
  const address = [10, ...randomBytes(3)].join('.')
  const headers = [
    ['authorization', `Bearer ${shown}`],
    ['x-forwarded-for', address],
  ] as const
  return { method: 'get', path: '/small', headers: [...always, ...headers], body: null }
}

const bodies = bodiesOf(workloadOf(100))
let numbered = 0

function large(): Sent {
  const body = bodies[(numbered / 100) % bodies.length]
  if (body === undefined) throw new Error('There are no bodies.')
  number(body, numbered)
  numbered += 100
  const headers = [
    ['content-type', 'application/json'],
    ['content-length', `${body.bytes.length}`],
  ] as const
  return {
    method: 'post',
    path: '/events/ingest',
    headers: [...always, authorized, ...headers],
    body: new Uint8Array(body.bytes),
  }
}

type Door = (sent: Sent) => Promise<void>

/** Our edge behind an HTTP engine that has no sockets. */
async function openDoor(counters: RateCounters | null): Promise<Door> {
  let take: (res: UwsResponse, req: UwsRequest) => void = () => undefined
  const uws: Uws = {
    App: () => ({
      any: (_pattern, handler) => {
        take = handler
      },
      listen: (_host, _port, _options, done) => done({}),
      listen_unix: (done) => done({}),
    }),
    us_listen_socket_close: () => undefined,
    us_socket_local_port: () => 1,
  }
  const nothing = (): void => undefined
  await openHttpServer({
    engine: { kind: 'uws_official', description: '', why: null, uws },
    host: '',
    listeners: [{ port: 0, mode: 'test' }],
    routes: [ingestRoute(ingestNeeds()), route('GET', '/small', 'read', async () => ok({}))],
    keys: {
      mayExist: mayBeApiKey,
      find: async (hash) => (keyHash.equals(hash) ? record : null),
    },
    maxStale: 15 * minute,
    counters,
    trustedProxies: ['127.0.0.1'],
    corsOrigins: [],
    budget: byteBudget(2 ** 30),
    clock: { now: () => instantOfMs(performance.timeOrigin + performance.now()) },
    newId: randomIds(),
    logger: openLogger({ level: 'fatal', part: 'bench' }),
    metrics: { rateLimited: nothing, request: nothing },
  })
  const shows = counters !== null
  return (sent) => new Promise((done) => take(responseOf(sent, { shows, done }), requestOf(sent)))
}

const requestOf = ({ headers, method, path }: Sent): UwsRequest => ({
  getUrl: () => path,
  getQuery: () => '',
  getMethod: () => method,
  forEach: (each) => {
    for (const [name, value] of headers) each(name, value)
  },
})

const out = Buffer.alloc(4_096)
const peer = new TextEncoder().encode('127.0.0.1').buffer

/** Copies what is written, as an engine does. `shows`: with the headers of the limits. */
function responseOf(
  { body }: Sent,
  { done, shows }: { readonly done: () => void; readonly shows: boolean },
): UwsResponse {
  let at = 0
  const put = (text: string): void => {
    at += out.write(text, at, 'latin1')
  }
  return {
    writeStatus: put,
    writeHeader(name, value) {
      if (!shows && name.startsWith('X-RateLimit-')) return
      put(name)
      put(value)
    },
    end: done,
    write: () => true,
    tryEnd(chunk) {
      put(chunk as string)
      done()
      return [true, true]
    },
    onWritable: () => undefined,
    endWithoutBody: done,
    cork: (write) => write(),
    onAborted: () => undefined,
    onData: (take) => {
      // In the turn behind, as it comes from a socket.
      if (body !== null) queueMicrotask(() => take(body.buffer as ArrayBuffer, true))
    },
    close: done,
    pause: () => undefined,
    getRemoteAddressAsText: () => peer,
  }
}

await asChild(import.meta.url, benchRates)
