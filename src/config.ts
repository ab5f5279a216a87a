import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Refusal } from './faults.ts'
import { limits } from './limits.ts'
import type { Duration } from './std/instant.ts'
import { day, hour, millisecond, minute, second } from './std/instant.ts'

/**
 * A setting that cannot work. The message is one sentence that names it; the process exits with 2.
 */
export class ConfigError extends Refusal {
  override readonly name = 'ConfigError'
}

export type LogLevel = (typeof logLevels)[number]

/** The settings, checked once. Plain data: it is handed to other threads as it is. */
export interface Config {
  /** The address to listen on. */
  readonly host: string
  /** Test mode's port; 0 takes a free one. */
  readonly port: number
  /** Live mode's port; 0 takes a free one. Not opened where `hosts` chooses the mode. */
  readonly livePort: number
  /** Host names that choose the mode on the one `port`, or null: a port a mode. */
  readonly hosts: { readonly test: string; readonly live: string } | null
  /** Port of /metrics, /healthz and /readyz; 0 takes a free one. */
  readonly opsPort: number
  /** Absolute path of what the embedded parts write. */
  readonly dataDir: string
  /** A PostgreSQL server to use, or null: the embedded one. */
  readonly databaseUrl: string | null
  /** 32 bytes that encrypt secrets at rest, or null: those of the file in `dataDir`. */
  readonly secretsKey: Uint8Array | null
  /** Replication factor of topics that we create. */
  readonly kafkaReplication: number
  /** How long cached keys and customers serve while the store is away. */
  readonly maxStale: Duration
  /** How long an event id is remembered. [design 3.4] */
  readonly dedupeWindow: Duration
  /** How long events can be read back. */
  readonly eventRetention: Duration
  /** How long the embedded log keeps what is measured and archived, as far as there is room. */
  readonly logRetention: Duration
  /** Base of links in answers, without a slash at its end, or null: the request's host. */
  readonly publicUrl: string | null
  /** Addresses or CIDR blocks whose `X-Forwarded-For` is believed. [ruling 5] */
  readonly trustedProxies: readonly string[]
  /** Addresses or CIDR blocks that live-mode webhooks may reach though private. [ruling 31] */
  readonly webhookAllowPrivate: readonly string[]
  readonly logLevel: LogLevel
  /** Whether `serve` brings the database up to date by itself. */
  readonly migrate: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * The whole list of settings, with their defaults. An empty variable counts as absent.
 *
 * @throws ConfigError naming the setting that cannot work.
 */
export function readConfig(environment: Environment = process.env): Config {
  const read = (name: string): string | null => environment[name]?.trim() || null
  refuseUnknown(environment)
  refuseUnbuilt(read)
  const databaseUrl = urlOf('DATABASE_URL', read, ['postgres:', 'postgresql:'])
  const config: Config = {
    host: read('HOST') ?? '127.0.0.1',
    port: portOf('PORT', read, 8080),
    livePort: portOf('LIVE_PORT', read, 8081),
    hosts: hostsOf(read),
    opsPort: portOf('OPS_PORT', read, 9464),
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    databaseUrl,
    secretsKey: secretsKeyOf(read, databaseUrl !== null),
    kafkaReplication: wholeOf('KAFKA_REPLICATION', read('KAFKA_REPLICATION') ?? '3', 1, 100),
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
    logRetention: durationOf('LOG_RETENTION', read, {
      otherwise: limits.logKept,
      min: 0,
      max: 90 * day,
    }),
    publicUrl: urlOf('PUBLIC_URL', read, ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    trustedProxies: blocksOf('TRUSTED_PROXIES', read),
    webhookAllowPrivate: blocksOf('WEBHOOK_ALLOW_PRIVATE', read),
    logLevel: choiceOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
    migrate: choiceOf('MIGRATE', read('MIGRATE') ?? 'on', ['on', 'off']) === 'on',
  }
  refuseSharedPorts(config)
  return Object.freeze(config)
}

type Read = (name: string) => string | null

function refuseUnknown(environment: Environment): void {
  const unknown = Object.keys(environment).find((name) => name.startsWith('SLUICE_'))
  if (unknown === undefined) return
  throw new ConfigError(`There is no setting ${unknown}: the README lists all of them.`)
}

function refuseUnbuilt(read: Read): void {
  for (const name of ['KAFKA_BROKERS', 'REDIS_URL']) {
    if (read(name) === null) continue
    throw new ConfigError(
      `${name} is set, but its driver comes with a later version: unset it to use the embedded part.`,
    )
  }
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

function portOf(name: string, read: Read, otherwise: number): number {
  return wholeOf(name, read(name) ?? String(otherwise), 0, 65_535)
}

function wholeOf(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
}

function choiceOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text)
  if (found !== undefined) return found
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not '${text}'.`)
}

const units = { us: 1, ms: millisecond, s: second, m: minute, h: hour, d: day } as const

interface DurationBounds {
  readonly otherwise: Duration
  readonly min: Duration
  readonly max: Duration
}

/** Such as `500ms`, `90s`, `15m`, `24h`, `7d`; a bare 0 too. */
function durationOf(name: string, read: Read, bounds: DurationBounds): Duration {
  const text = read(name)
  if (text === null) return bounds.otherwise
  const match = /^(\d{1,9})(us|ms|s|m|h|d)$/.exec(text === '0' ? '0s' : text)
  if (match === null) {
    throw new ConfigError(`${name} must be a duration such as 15m or 24h, not '${text}'.`)
  }
  const value = Number(match[1]) * units[match[2] as keyof typeof units]
  if (value >= bounds.min && value <= bounds.max) return value
  const [min, max] = [bounds.min / hour, bounds.max / hour]
  throw new ConfigError(`${name} must lie between ${min}h and ${max}h, not '${text}'.`)
}

/** Never repeats the value: it may hold a password. */
function urlOf(name: string, read: Read, protocols: readonly string[]): string | null {
  const text = read(name)
  if (text === null) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  throw new ConfigError(`${name} must be a URL that begins with ${protocols.join('// or ')}//.`)
}

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

function blocksOf(name: string, read: Read): readonly string[] {
  const blocks = (read(name) ?? '').split(/[\s,]+/).filter((block) => block !== '')
  const wrong = blocks.find((block) => !isBlock(block))
  if (wrong === undefined) return Object.freeze(blocks)
  throw new ConfigError(
    `${name} must list addresses or CIDR blocks such as 10.0.0.0/8, and '${wrong}' is neither.`,
  )
}

function isBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
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
