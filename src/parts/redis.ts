// ioredis: the one client for Node that knows Sentinel and Cluster and sends commands to the right
// server. This is the only import of it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ConnectionOptions } from 'node:tls'
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from '../runtime/logger.ts'
import type { RedisSettings } from './redis-settings.ts'

/** Loaded where there is a Redis: no other start waits for it. */
const ioredis = () => createRequire(import.meta.url)('ioredis') as typeof import('ioredis')

/** A Lua script: its text, and the name under which Redis remembers it. */
export interface RedisScript {
  readonly lua: string
  readonly sha: string
}

/**
 * Joins files to one script: `parts` are the files `scripts/PART.lua` beside the file at `from`.
 * (Redis knows no way for one script to use another.) Without their comments, since Redis keeps the
 * text in its memory.
 */
export function luaScript(from: string, ...parts: readonly string[]): RedisScript {
  const texts = parts.map((part) => readFileSync(new URL(`scripts/${part}.lua`, from), 'utf8'))
  const lua = texts.join('\n').replaceAll(/^ *--.*\n/gm, '')
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** What one master says about itself; `info` by field. */
export interface RedisMaster {
  info(): Promise<ReadonlyMap<string, string>>
}

export type RedisArgument = string | number | Buffer

/**
 * A connection to Redis, or one to each master of a cluster, that is made again for as long as it
 * takes. While there is none, every call is rejected at once; no command is queued or sent twice.
 */
export interface RedisConnection {
  /** Runs a script whose keys share a slot. Texts in the reply are Buffers. */
  run(
    script: RedisScript,
    keys: readonly string[],
    rest: readonly RedisArgument[],
  ): Promise<unknown>
  masters(): readonly RedisMaster[]
  /** A cluster refuses scripts with keys of several slots. */
  readonly clustered: boolean
  ready(): boolean
  /** Rises with every new connection, after which another server may answer than before. */
  epoch(): number
  /** Waits until the connection is there, or for `ms`. */
  settled(ms: number): Promise<void>
  close(): void
}

export interface RedisConnectionNeeds {
  readonly settings: RedisSettings
  readonly logger: Logger
  /** The name that `CLIENT LIST` shows. */
  readonly name: string
}

export function openRedis({ settings, logger, name }: RedisConnectionNeeds): RedisConnection {
  const client = connect(settings, name)
  let epoch = 0
  let away = false
  let closed = false
  client.on('ready', () => {
    epoch += 1
    if (away) logger.info({ connection: name }, 'Redis is there again')
    away = false
  })
  // Nodes come and go when the masters of a cluster change places.
  client.on('+node', () => {
    epoch += 1
  })
  client.on('close', () => lost(null))
  // Without a listener, ioredis writes errors to the console.
  client.on('error', (error: unknown) => lost(error))
  // ioredis gives up for good where sentinels tell of a failover while it asks them for the master.
  client.on('end', () => {
    if (!closed) setTimeout(again, retryMs(1))
  })
  return {
    run,
    masters: () => ('nodes' in client ? client.nodes('master') : [client]).map(masterOf),
    clustered: 'nodes' in client,
    ready: () => client.status === 'ready',
    epoch: () => epoch,
    settled,
    close: () => {
      closed = true
      client.disconnect()
    },
  }

  function again(): void {
    // Where it fails, another end follows.
    if (!closed) client.connect().catch(() => undefined)
  }

  function lost(error: unknown): void {
    if (away || client.status === 'end') return
    away = true
    const fields = error === null ? {} : { error }
    logger.warn({ connection: name, ...fields }, 'Redis is away; connecting goes on')
  }

  async function run(
    { lua, sha }: RedisScript,
    keys: readonly string[],
    rest: readonly RedisArgument[],
  ): Promise<unknown> {
    try {
      return await client.callBuffer('evalsha', sha, keys.length, ...keys, ...rest)
    } catch (error) {
      // The server does not know the script: it was restarted, or never heard it.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.callBuffer('eval', lua, keys.length, ...keys, ...rest)
    }
  }

  async function settled(ms: number): Promise<void> {
    if (client.status === 'ready') return
    await new Promise<void>((done) => {
      const timer = setTimeout(over, ms)
      client.once('ready', over)
      function over(): void {
        clearTimeout(timer)
        client.off('ready', over)
        done()
      }
    })
  }
}

/** After so many ms without an answer the connection is made anew. */
const silenceMs = 2_000

function connect(settings: RedisSettings, connectionName: string): Redis | Cluster {
  const { Cluster, Redis } = ioredis()
  const tls = tlsOf(settings)
  const common = {
    connectionName,
    ...(settings.username === null ? {} : { username: settings.username }),
    ...(settings.password === null ? {} : { password: settings.password }),
    ...(tls === null ? {} : { tls }),
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    // Commands that a lost connection leaves unanswered fail: only the caller knows whether to
    // repeat them.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  }
  if (settings.kind === 'cluster') {
    return new Cluster([...settings.nodes], {
      enableOfflineQueue: false,
      clusterRetryStrategy: retryMs,
      // Enough for the first moments of a failover; then the caller gets the error.
      maxRedirections: 4,
      slotsRefreshTimeout: silenceMs,
      slotsRefreshInterval: 5_000,
      // Nodes are asked by name, not by address, because certificates hold their names.
      ...(tls === null ? {} : { dnsLookup: (host, done) => done(null, host) }),
      redisOptions: common,
    })
  }
  const own = {
    ...common,
    db: settings.db,
    enableOfflineQueue: false,
    retryStrategy: retryMs,
    // The server was a master and has been demoted: the connection is made anew.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  }
  if (settings.kind === 'single') {
    return new Redis({ ...own, host: settings.host, port: settings.port })
  }
  return new Redis({ ...own, ...sentinelOptions(settings, tls) })
}

function sentinelOptions(
  { sentinels, name, password }: RedisSettings & { readonly kind: 'sentinel' },
  tls: ConnectionOptions | null,
) {
  return {
    sentinels: [...sentinels],
    name,
    ...(password === null ? {} : { sentinelPassword: password }),
    ...(tls === null ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    sentinelCommandTimeout: silenceMs,
    sentinelRetryStrategy: retryMs,
    // Sentinels tell of a failover at once; otherwise the old master's refusal would be the first
    // sign.
    failoverDetector: true,
  }
}

const tlsOf = ({ tls }: RedisSettings): ConnectionOptions | null =>
  tls === null ? null : tls.ca === null ? {} : { ca: tls.ca }

const retryMs = (times: number): number => Math.min(times * 50, 1_000)

function masterOf(client: Redis): RedisMaster {
  return {
    async info() {
      const text = await client.info()
      const lines = text.split(/\r?\n/).filter((line) => /^\w+:/.test(line))
      return new Map(
        lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
      )
    },
  }
}
