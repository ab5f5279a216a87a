import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { TestKafka } from '../../support/servers/kafka.ts'
import { startKafka } from '../../support/servers/kafka.ts'
import type { TestPostgres } from '../../support/servers/postgres.ts'
import { postgresMissing, startPostgres } from '../../support/servers/postgres.ts'
import type { TestProxy } from '../../support/servers/proxy.ts'
import { startProxy } from '../../support/servers/proxy.ts'
import type { TestRedis } from '../../support/servers/redis.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { distributedMissing } from '../distributed-parts.ts'
import type { Fleet, Load } from '../fleet.ts'
import { openFleet } from '../fleet.ts'

/** What a process says of itself. */
export interface Readiness {
  readonly status: number
  readonly ready: boolean
  readonly checks: Readonly<Record<string, { readonly state: string; readonly reason: string }>>
}

export interface Reply {
  readonly status: number
  readonly retryAfter: string | null
  readonly code: string | null
  /** In ms. */
  readonly took: number
}

export interface Asking {
  readonly key?: string
  readonly customerId?: string
}

/** Three processes on servers of their own, behind proxies, with usage that never ceases. */
export interface Rig {
  readonly fleet: Fleet
  readonly load: Load
  readonly kafka: TestKafka
  readonly redis: TestRedis
  readonly postgres: TestPostgres
  readonly proxies: { readonly [of in 'kafka' | 'redis' | 'postgres']: TestProxy }
  /** One event that no meter counts. */
  send(asking?: Asking): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body: object): Promise<Reply>
  readyz(name: string): Promise<Readiness>
}

export const rigMissing = distributedMissing ?? postgresMissing

export const processes = {
  http: 'http',
  billing: 'billing',
  others: 'sweeps,delivery,archive',
} as const

/** Long enough for a machine that has other things to do. */
export const patient = { timeout: 240_000, interval: 200 }

export async function openRig(brokers: 1 | 3 = 1): Promise<Rig & { close(): Promise<void> }> {
  const [kafka, redis, postgres] = await Promise.all([
    startKafka({ brokers, proxied: true }),
    startRedis(),
    startPostgres(),
  ])
  const [toRedis, toPostgres] = await Promise.all([
    startProxy({ host: '127.0.0.1', port: redis.port }),
    startProxy({ host: '127.0.0.1', port: postgres.port }),
  ])
  const proxies = { kafka: kafka.proxies[0] as TestProxy, redis: toRedis, postgres: toPostgres }
  const url = new URL(postgres.url)
  url.port = `${toPostgres.port}`
  const fleet = await openFleet({
    environment: {
      ...kafka.settings,
      REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
      DATABASE_URL: url.href,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
    close: async () => {
      await Promise.all([toRedis.stop(), toPostgres.stop()])
      await Promise.all([kafka.stop(), redis.stop(), postgres.stop()])
    },
  })
  for (const [name, roles] of Object.entries(processes)) await fleet.start(name, roles)
  const load = await fleet.load()
  await load.progress()
  return {
    fleet,
    load,
    kafka,
    redis,
    postgres,
    proxies,
    ...asking(fleet, load),
    close: fleet.close,
  }
}

/** One for all suites of a file. */
export function rig(): Rig {
  let opened: Awaited<ReturnType<typeof openRig>> | null = null
  beforeAll(async () => {
    if (rigMissing === null) opened = await openRig()
  }, 300_000)
  // Mends what a failed test left broken, so that it does not spoil the next one.
  afterEach(() => {
    for (const proxy of Object.values(opened?.proxies ?? {})) {
      proxy.refuse(false)
      proxy.stall(false)
      proxy.delay(0)
    }
  })
  afterAll(() => opened?.close(), 120_000)
  return new Proxy({} as Rig, {
    get: (_, name) => {
      if (opened === null) throw new Error('The servers do not run.')
      return opened[name as keyof Rig]
    },
  })
}

let sent = 0

function asking(fleet: Fleet, load: Load): Pick<Rig, 'send' | 'get' | 'post' | 'readyz'> {
  const { sender } = load
  const ask = async (path: string, key: string, body?: object): Promise<Reply> => {
    const begun = performance.now()
    const answer = await fetch(`${fleet.server('http').ready['test_url']}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said = (await answer.json()) as { code?: string }
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      code: said.code ?? null,
      took: performance.now() - begun,
    }
  }
  return {
    send({ key = sender.key, customerId = sender.customerId } = {}) {
      sent += 1
      const event = { event_id: `alone ${sent}`, customer_id: customerId, event_name: 'unmetered' }
      return ask('/events/ingest', key, { events: [event] })
    },
    get: (path) => ask(path, sender.key),
    post: (path, body) => ask(path, sender.key, body),
    async readyz(name) {
      const answer = await fetch(`${fleet.server(name).ready['ops_url']}/readyz`)
      return { status: answer.status, ...((await answer.json()) as Omit<Readiness, 'status'>) }
    },
  }
}
