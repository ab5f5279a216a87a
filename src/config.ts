import { resolve } from 'node:path'
import { filesOf } from './config-files.ts'
import { kafkaOf } from './config-kafka.ts'
import type { SidecarConfig } from './config-sidecar.ts'
import { sidecarConfigOf } from './config-sidecar.ts'
import type { LogLevel, Read } from './config-values.ts'
import {
  blocksOf,
  ConfigError,
  choiceOf,
  durationOf,
  linkStartOf,
  listenOf,
  listOf,
  logLevels,
  operatorOf,
  originsOf,
  pemOf,
  portOf,
  urlOf,
} from './config-values.ts'
import { limits } from './limits.ts'
import type { S3Settings } from './parts/files-settings.ts'
import type { KafkaSettings } from './parts/kafka/settings.ts'
import type { StorePromise } from './parts/postgres-promises.ts'
import { promises } from './parts/postgres-promises.ts'
import type { RedisSettings } from './parts/redis-settings.ts'
import { parseRedisUrl } from './parts/redis-settings.ts'
import { parseDecimal } from './std/decimal.ts'
import type { Duration } from './std/instant.ts'
import { day, hour, minute } from './std/instant.ts'

export { ConfigError } from './config-values.ts'

/** The settings, checked once: plain data that can be sent to other threads. */
export interface Config {
  /** The address to listen on. */
  readonly host: string
  /** Test mode's port; 0: any free port. */
  readonly port: number
  /** Live mode's port; 0: any free port. Not opened where `hosts` chooses the mode. */
  readonly livePort: number
  /** Host names that choose the mode on the one `port`; null: each mode has its port. */
  readonly hosts: { readonly test: string; readonly live: string } | null
  /** The address of /metrics, /healthz and /readyz, whatever `host` is. */
  readonly opsHost: string
  /** The port of /metrics, /healthz and /readyz; 0: any free port. */
  readonly opsPort: number
  /** Absolute path of the folder into which the embedded parts write. */
  readonly dataDir: string
  /** The PostgreSQL server to use; null: the embedded one. */
  readonly databaseUrl: string | null
  /** Settings that PostgreSQL may have off although commits are not durable then. */
  readonly databaseAllowOff: readonly StorePromise[]
  /** The 32 bytes that encrypt stored secrets; null: those of the file in `dataDir`. */
  readonly secretsKey: Uint8Array | null
  /** The Kafka cluster of the event log; null: the embedded log. */
  readonly kafka: KafkaSettings | null
  /** The Redis of dedupe; null: the embedded dedupe. */
  readonly redis: RedisSettings | null
  /** The storage of images and files; null: the folder `files` in `dataDir`. [operations#files] */
  readonly files: S3Settings | null
  /** For how long cached keys and customers are used while the store is away. */
  readonly maxStale: Duration
  /** How long an event id is remembered. [machines#dedupe] */
  readonly dedupeWindow: Duration
  /** For how long events can be read back. */
  readonly eventRetention: Duration
  /** For how long webhook messages and their attempts can be read, and sent again. */
  readonly webhookRetention: Duration
  /** For how long the embedded log keeps what is measured and archived, as far as there is room. */
  readonly logRetention: Duration
  /** For how long after it was paid a payment can be refunded. [refunds#refusals] */
  readonly refundWindow: Duration
  /**
   * Disputes up to this amount, in thousandths of a major unit of any currency, are given back at
   * once; null: none. [refunds#rapid-resolution]
   */
  readonly rapidResolutionMax: number | null
  /** Who pays out; null: papers of payouts name nobody. [invoices#payouts] */
  readonly operator: ReturnType<typeof operatorOf>
  /** The beginning of links in answers, without a slash at its end; null: the request's host. */
  readonly publicUrl: string | null
  /** Addresses or CIDR blocks whose `X-Forwarded-For` is believed. [requests#limits] */
  readonly trustedProxies: readonly string[]
  /** Private addresses or CIDR blocks that live-mode webhooks may reach. [webhooks#attempts] */
  readonly webhookAllowPrivate: readonly string[]
  /** Origins of pages that browsers may let call the API; `*`: all. [requests#browsers] */
  readonly corsOrigins: readonly string[]
  readonly logLevel: LogLevel
  /** Whether OTEL_EXPORTER_OTLP_ENDPOINT asks for traces. [operations#traces] */
  readonly tracing: boolean
  /** Whether `serve` migrates the database by itself. */
  readonly migrate: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads all settings, with their defaults. An empty variable counts as absent.
 *
 * @throws ConfigError naming the setting that cannot work.
 */
export function readConfig(environment: Environment = process.env): Config {
  const read = readerOf(environment)
  const databaseUrl = urlOf('DATABASE_URL', read, ['postgres:', 'postgresql:'])
  const config: Config = {
    host: listenOf('HOST', read),
    port: portOf('PORT', read, 8080),
    livePort: portOf('LIVE_PORT', read, 8081),
    hosts: hostsOf(read),
    opsHost: listenOf('OPS_HOST', read),
    opsPort: portOf('OPS_PORT', read, 9464),
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    databaseUrl,
    databaseAllowOff: allowOffOf(read),
    secretsKey: secretsKeyOf(read, databaseUrl !== null),
    kafka: kafkaOf(read),
    redis: redisOf(read),
    files: filesOf(read),
    maxStale: durationOf('MAX_STALE', read, { otherwise: 15 * minute, min: 0, max: 7 * day }),
    dedupeWindow: durationOf('DEDUPE_WINDOW', read, {
      otherwise: limits.dedupeWindow,
      min: 2 * hour,
      max: 90 * day,
    }),
    eventRetention: durationOf('EVENT_RETENTION', read, {
      otherwise: limits.archiveRetention,
      min: day,
      max: 3_660 * day,
    }),
    webhookRetention: durationOf('WEBHOOK_RETENTION', read, {
      otherwise: limits.webhookRetention,
      min: day,
      max: 3_660 * day,
    }),
    logRetention: durationOf('LOG_RETENTION', read, {
      otherwise: limits.logKept,
      min: 0,
      max: 90 * day,
    }),
    refundWindow: durationOf('REFUND_WINDOW', read, {
      otherwise: limits.refundWindow,
      min: 0,
      max: 3_660 * day,
    }),
    rapidResolutionMax: rapidOf(read),
    operator: operatorOf(read),
    publicUrl: linkStartOf('PUBLIC_URL', read),
    trustedProxies: blocksOf('TRUSTED_PROXIES', read),
    webhookAllowPrivate: blocksOf('WEBHOOK_ALLOW_PRIVATE', read),
    corsOrigins: originsOf('CORS_ORIGINS', read),
    tracing: tracingOf(read),
    logLevel: choiceOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
    migrate: choiceOf('MIGRATE', read('MIGRATE') ?? 'on', ['on', 'off']) === 'on',
  }
  refuseSharedPorts(config)
  return Object.freeze(config)
}

/**
 * The settings of the sidecar, which runs without any of the others.
 *
 * @throws ConfigError naming the setting that cannot work.
 */
export const readSidecarConfig = (environment: Environment = process.env): SidecarConfig =>
  sidecarConfigOf(readerOf(environment))

function readerOf(environment: Environment): Read {
  refuseUnknown(environment)
  return (name) => environment[name]?.trim() || null
}

function refuseUnknown(environment: Environment): void {
  const unknown = Object.keys(environment).find((name) => name.startsWith('SLUICE_'))
  if (unknown === undefined) return
  throw new ConfigError(`There is no setting ${unknown}: the README lists all of them.`)
}

/** OpenTelemetry's SDK reads all else of `OTEL_…` by itself. */
function tracingOf(read: Read): boolean {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const asked = names.some((name) => urlOf(name, read, ['http:', 'https:']) !== null)
  if (!asked || read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none')
    return false
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol !== 'grpc') return true
  throw new ConfigError(
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: traces go over HTTP, to port 4318 of most collectors.',
  )
}

function rapidOf(read: Read): number | null {
  const text = read('RAPID_RESOLUTION_MAX')
  const thousandths = text === null ? null : parseDecimal(text, 3)
  if (text === null) return null
  if (thousandths === null || thousandths < 0n || thousandths > 10n ** 12n) {
    throw new ConfigError('RAPID_RESOLUTION_MAX must be an amount of major units, such as 100.')
  }
  return Number(thousandths)
}

function refuseSharedPorts(config: Config): void {
  const ports: [string, number][] = [
    ['PORT', config.port],
    ...(config.hosts === null ? [['LIVE_PORT', config.livePort] as [string, number]] : []),
    ['OPS_PORT', config.opsPort],
  ]
  ports.forEach(([name, port], index) => {
    const other = ports.slice(0, index).find(([, earlier]) => earlier === port && port !== 0)
    if (other === undefined) return
    throw new ConfigError(`${name} and ${other[0]} are both ${port}: each needs a port of its own.`)
  })
}

function redisOf(read: Read): RedisSettings | null {
  const text = read('REDIS_URL')
  const ca = pemOf('REDIS_TLS_CA', read)
  if (text === null && ca !== null) {
    throw new ConfigError('REDIS_TLS_CA is set, but REDIS_URL is not: no Redis would be used.')
  }
  if (text === null) return null
  const settings = parseRedisUrl(text)
  if (settings !== null && settings.tls === null && ca !== null) {
    throw new ConfigError('REDIS_TLS_CA is set, but REDIS_URL names no TLS: use rediss.')
  }
  if (settings !== null) return settings.tls === null ? settings : { ...settings, tls: { ca } }
  throw new ConfigError(
    'REDIS_URL must look like redis://host:6379, redis+sentinel://host1:26379,host2:26379/name or redis+cluster://host1:6379,host2:6379; rediss for TLS.',
  )
}

const allowOffOf = (read: Read): readonly StorePromise[] =>
  listOf('DATABASE_ALLOW_OFF', read).map((name) => choiceOf('DATABASE_ALLOW_OFF', name, promises))

function hostsOf(read: Read): Config['hosts'] {
  const [test, live] = [hostOf('TEST_HOST', read), hostOf('LIVE_HOST', read)]
  if (test === null && live === null) return null
  if (test === null || live === null) {
    throw new ConfigError('TEST_HOST and LIVE_HOST go together: set both or neither.')
  }
  if (test !== live) return { test, live }
  throw new ConfigError(`TEST_HOST and LIVE_HOST must differ, and both are '${test}'.`)
}

function hostOf(name: string, read: Read): string | null {
  const text = read(name)?.toLowerCase() ?? null
  if (text === null || /^[a-z0-9._-]+(:\d{1,5})?$/.test(text)) return text
  throw new ConfigError(`${name} must be a host name such as test.example.com, not '${text}'.`)
}

function secretsKeyOf(read: Read, required: boolean): Uint8Array | null {
  const text = read('SECRETS_KEY')
  if (text === null) {
    if (!required) return null
    throw new ConfigError(
      'SECRETS_KEY is required with DATABASE_URL: 32 bytes in base64, such as `openssl rand -base64 32` prints.',
    )
  }
  const key = Buffer.from(text, 'base64')
  if (key.length === 32 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return new Uint8Array(key)
  throw new ConfigError('SECRETS_KEY must be 32 bytes in base64.')
}
