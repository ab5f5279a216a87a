import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LogLevel, Read } from './config-values.ts'
import {
  bytesOf,
  ConfigError,
  choiceOf,
  durationOf,
  listenOf,
  logLevels,
  portOf,
  urlOf,
  wholeOf,
} from './config-values.ts'
import { limits } from './limits.ts'
import type { Duration } from './std/instant.ts'
import { hour, millisecond } from './std/instant.ts'

/** The settings of `sluice sidecar`, checked once. */
export interface SidecarConfig {
  /** Base URL of the gateway. */
  readonly upstream: string
  /** Reads the key anew where it is in a file, so that a change of the file is noticed. */
  readonly key: () => string
  /** Where events are taken. */
  readonly listen: ListenAddress
  /** Absolute path of the spool. */
  readonly spoolDir: string
  /** Bytes that the spool may take. */
  readonly spoolMax: number
  /** How long the first event of a request to the gateway waits for others. */
  readonly linger: Duration
  /** Events of a request to the gateway. */
  readonly batch: number
  readonly opsHost: string
  readonly opsPort: number
  readonly logLevel: LogLevel
}

/** A port of an address, 0 for a free one; or the path of a Unix socket. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly path: string }

const mebibyte = 1_048_576

/** @throws ConfigError naming the setting that cannot work. */
export function sidecarConfigOf(read: Read): SidecarConfig {
  const upstream = upstreamOf(read)
  const config: SidecarConfig = {
    upstream,
    key: keyOf(read),
    listen: listenAddressOf(read('SIDECAR_LISTEN') ?? '127.0.0.1:8090'),
    spoolDir: resolve(read('SPOOL_DIR') ?? 'spool'),
    spoolMax: bytesOf('SPOOL_MAX', read, 256 * mebibyte),
    linger: durationOf('SIDECAR_LINGER', read, { otherwise: 50 * millisecond, min: 0, max: hour }),
    batch: wholeOf('SIDECAR_BATCH', read('SIDECAR_BATCH') ?? '1000', {
      min: 1,
      max: limits.eventsPerRequestMax,
    }),
    opsHost: listenOf('OPS_HOST', read),
    opsPort: portOf('OPS_PORT', read, 9465),
    logLevel: choiceOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', logLevels),
  }
  const { listen, opsPort } = config
  if ('port' in listen && listen.port === opsPort && opsPort !== 0) {
    throw new ConfigError(`SIDECAR_LISTEN and OPS_PORT are both ${opsPort}: they must differ.`)
  }
  if (isOwn(upstream, listen)) {
    throw new ConfigError('SIDECAR_UPSTREAM must be the gateway, and not SIDECAR_LISTEN itself.')
  }
  return Object.freeze(config)
}

function upstreamOf(read: Read): string {
  const text = urlOf('SIDECAR_UPSTREAM', read, ['http:', 'https:'])
  const mustBe =
    'must be the base URL of the gateway, such as https://usage.example.com, without a key, a query or /events/ingest'
  if (text === null) {
    throw new ConfigError(`SIDECAR_UPSTREAM is required, and ${mustBe}.`)
  }
  const { username, password, pathname } = new URL(text)
  const isBase = !/[?#]/.test(text) && !/\/events\/ingest\/*$/.test(pathname)
  if (isBase && username === '' && password === '') return text
  throw new ConfigError(`SIDECAR_UPSTREAM ${mustBe}.`)
}

const thisMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])

/** Events that a sidecar sends to itself go round for ever. */
function isOwn(upstream: string, listen: ListenAddress): boolean {
  if (!('port' in listen)) return false
  const { hostname, port, protocol } = new URL(upstream)
  if (protocol === 'https:' || Number(port || 80) !== listen.port) return false
  return thisMachine.has(hostname) || hostname === listen.host || hostname === `[${listen.host}]`
}

function keyOf(read: Read): () => string {
  const [text, path] = [read('SIDECAR_KEY'), read('SIDECAR_KEY_FILE')]
  if ((text === null) === (path === null)) {
    throw new ConfigError('SIDECAR_KEY or SIDECAR_KEY_FILE is required: set one of them.')
  }
  if (path === null) {
    const key = usableKey('SIDECAR_KEY', text ?? '')
    return () => key
  }
  let last = usableKey('SIDECAR_KEY_FILE', textOf(path))
  return () => {
    const found = textOf(path)
    // While somebody writes it, or when it is gone for a moment, the one before goes on.
    if (isUsable(found)) last = found
    return last
  }
}

/** Never repeats it. */
function usableKey(name: string, key: string): string {
  if (isUsable(key)) return key
  throw new ConfigError(
    name === 'SIDECAR_KEY'
      ? 'SIDECAR_KEY must be an API key: printable characters without blanks.'
      : 'SIDECAR_KEY_FILE must be the path of a file that can be read and holds an API key.',
  )
}

const isUsable = (key: string): boolean => /^[\x21-\x7e]{1,256}$/.test(key)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** What the kernel takes, less its final NUL. */
const socketPathMax = 107

function listenAddressOf(text: string): ListenAddress {
  if (text.includes('/')) {
    const path = resolve(text.replace(/^unix:/, ''))
    if (Buffer.byteLength(path) <= socketPathMax) return { path }
    throw new ConfigError(
      `SIDECAR_LISTEN must be a path of at most ${socketPathMax} bytes, not '${path}'.`,
    )
  }
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (host !== '') {
    const readPart = (): string => bare
    return {
      host: listenOf('SIDECAR_LISTEN', readPart),
      port: portOf('SIDECAR_LISTEN', () => port, 0),
    }
  }
  throw new ConfigError(
    `SIDECAR_LISTEN must be an address and a port such as 127.0.0.1:8090, or the path of a socket, not '${text}'.`,
  )
}
