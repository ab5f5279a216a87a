import { randomBytes } from 'node:crypto'
import type { RateCounters } from '../../src/edge/http/rates.ts'
import { ok, route } from '../../src/edge/http/route.ts'
import { ingestRoute } from '../../src/edge/ingest/ingest.ts'
import { memoryCounters } from '../../src/parts/counters/memory/counters.ts'
import { openRedisCounters } from '../../src/parts/counters/redis/counters.ts'
import { parseRedisUrl } from '../../src/parts/redis-settings.ts'
import { newApiKey } from '../../src/runtime/api-key.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import type { Door, Sent } from '../../test/support/edge/door.ts'
import { authorized, openDoor } from '../../test/support/edge/door.ts'
import { ingestNeeds } from '../../test/support/edge/taking.ts'
import { redisMissing, startRedis } from '../../test/support/servers/redis.ts'
import type { Goal, Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { bodiesOf, number } from '../harness/workload.ts'
import type { MicroSize } from './run.ts'
import { asChild } from './run.ts'
import { workloadOf } from './taking.ts'

/**
 * What the rate limits, and keys that do not exist, cost a request between the HTTP engine and a
 * handler: our whole edge, without sockets. Goals: limits take at most 3 µs of a request, and at
 * most 2 % of one that brings 100 events (whose cost here lacks log, dedupe and sockets). The
 * headers that tell of limits are on every answer, and count for neither side.
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
  const [free, own] = [await doorOf(null), await doorOf(memory)]
  const ways: Record<string, () => Promise<number>> = {
    'no limits': () => cost(free, requests, small),
    'limits of a process': () => cost(own, requests, small),
    '100 events': () => cost(own, requests / 10, large),
    'no such key': () => cost(own, requests / 2, () => unknown(false)),
    'no such key, checksum right': () => cost(own, requests / 2, () => unknown(true)),
  }
  if (shared !== null) {
    const common = await doorOf(shared)
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

const doorOf = (counters: RateCounters | null): Promise<Door> =>
  openDoor(
    [ingestRoute(ingestNeeds()), route('GET', '/small', 'read', async () => ok({}))],
    counters,
  )

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

const always = [
  ['host', '127.0.0.1:8080'],
  ['user-agent', 'bench/1.0'],
  ['accept', '*/*'],
] as const

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

await asChild(import.meta.url, benchRates)
