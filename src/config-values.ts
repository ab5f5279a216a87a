import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Refusal } from './faults.ts'
import { limits } from './limits.ts'
import type { Duration } from './std/instant.ts'
import { day, hour, millisecond, minute, second } from './std/instant.ts'
import { parseIsoDuration } from './std/iso-duration.ts'

/**
 * A setting that cannot work. The message is one sentence that names the setting; the process exits
 * with 2.
 */
export class ConfigError extends Refusal {
  override readonly name = 'ConfigError'
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** The text of a setting, trimmed; null where it is absent or empty. */
export type Read = (name: string) => string | null

export function portOf(name: string, read: Read, otherwise: number): number {
  const text = read(name) ?? String(otherwise)
  return wholeOf(name, text, { min: 0, max: 65_535 })
}

/** An address to listen on, or a name of one; only this machine where the setting is absent. */
export function listenOf(name: string, read: Read): string {
  const text = read(name) ?? '127.0.0.1'
  const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(text) && !/^[0-9.]+$/.test(text)
  if (isIP(text) !== 0 || isName) return text
  throw new ConfigError(
    `${name} must be an address to listen on, such as 127.0.0.1 or 0.0.0.0, not '${text}'.`,
  )
}

interface Bounds {
  readonly min: number
  readonly max: number
}

export function wholeOf(name: string, text: string, { min, max }: Bounds): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
}

export function choiceOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text)
  if (found !== undefined) return found
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not '${text}'.`)
}

const units = { us: 1, ms: millisecond, s: second, m: minute, h: hour, d: day } as const

interface DurationBounds extends Bounds {
  readonly otherwise: Duration
}

/** For example `500ms`, `90s`, `15m`, `24h`, `7d`, or ISO 8601 without months; also a bare 0. */
export function durationOf(name: string, read: Read, bounds: DurationBounds): Duration {
  const text = read(name)
  if (text === null) return bounds.otherwise
  const value = lengthOf(text)
  if (value === null) {
    throw new ConfigError(`${name} must be a duration such as 15m or 24h, not '${text}'.`)
  }
  if (value >= bounds.min && value <= bounds.max) return value
  const [min, max] = [bounds.min / hour, bounds.max / hour]
  throw new ConfigError(`${name} must lie between ${min}h and ${max}h, not '${text}'.`)
}

/** Null where the text is no length of time. */
export function lengthOf(text: string): Duration | null {
  const match = /^(\d{1,9})(us|ms|s|m|h|d)$/.exec(text === '0' ? '0s' : text)
  if (match !== null) return Number(match[1]) * units[match[2] as keyof typeof units]
  const iso = parseIsoDuration(text)
  return iso === null || iso.months > 0 ? null : iso.rest
}

const sizes = { '': 1, KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 } as const

/** Bytes, plain or with `KiB`, `MiB` or `GiB`. */
export function bytesOf(name: string, read: Read, otherwise: number): number {
  const text = read(name)
  if (text === null) return otherwise
  const match = /^(\d{1,15})(KiB|MiB|GiB|)$/.exec(text)
  const value = Number(match?.[1] ?? 0) * sizes[(match?.[2] ?? '') as keyof typeof sizes]
  if (value >= 1 && Number.isSafeInteger(value)) return value
  throw new ConfigError(`${name} must be a size such as 67108864, 64MiB or 1GiB, not '${text}'.`)
}

/** Messages never repeat the value, which may hold a password. */
export function urlOf(name: string, read: Read, protocols: readonly string[]): string | null {
  const text = read(name)
  if (text === null) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  throw new ConfigError(`${name} must be a URL that begins with ${protocols.join('// or ')}//.`)
}

/**
 * What links begin with, without a slash at its end. Paths are put behind it, so that a query would
 * swallow them, and everybody who gets a link would get a password in it.
 */
export function linkStartOf(name: string, read: Read): string | null {
  const text = urlOf(name, read, ['http:', 'https:'])
  if (text === null) return null
  const { username, password } = new URL(text)
  if (!/[?#]/.test(text) && username === '' && password === '') return text.replace(/\/+$/, '')
  throw new ConfigError(
    `${name} must be what links begin with, such as https://pay.example.com, without a query, a fragment or a user.`,
  )
}

export function blocksOf(name: string, read: Read): readonly string[] {
  const blocks = listOf(name, read)
  const wrong = blocks.find((block) => !isBlock(block))
  if (wrong === undefined) return Object.freeze(blocks)
  throw new ConfigError(
    `${name} must list addresses or CIDR blocks such as 10.0.0.0/8, and '${wrong}' is neither.`,
  )
}

/** Origins as browsers send them, or `*` for all. */
export function originsOf(name: string, read: Read): readonly string[] {
  const origins = listOf(name, read)
  const wrong = origins.find((origin) => origin !== '*' && !isOrigin(origin))
  if (wrong === undefined) return Object.freeze(origins)
  throw new ConfigError(
    `${name} must list origins such as https://app.example.com, or be *, and '${wrong}' is neither.`,
  )
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text

/** Items are separated by commas or blanks. */
export const listOf = (name: string, read: Read): readonly string[] =>
  (read(name) ?? '').split(/[\s,]+/).filter((item) => item !== '')

function isBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** `host:port` pairs; an IPv6 address stands in brackets. Null where the setting is absent. */
export function addressesOf(name: string, read: Read): readonly string[] | null {
  if (read(name) === null) return null
  const addresses = listOf(name, read)
  const wrong = addresses.find((address) => !isAddress(address))
  if (wrong === undefined && addresses.length > 0) return Object.freeze(addresses)
  throw new ConfigError(`${name} must list host:port pairs such as kafka-1:9092,kafka-2:9092.`)
}

function isAddress(text: string): boolean {
  const port = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(text)?.[1]
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535
}

/** The text of the PEM file that a setting names. Null where the setting is absent. */
export function pemOf(name: string, read: Read): string | null {
  const path = read(name)
  if (path === null) return null
  const text = textOf(path)
  if (text?.includes('-----BEGIN ') === true) return text
  throw new ConfigError(`${name} must be the path of a PEM file that can be read, not '${path}'.`)
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Who pays out, as papers say it. */
export interface Operator {
  readonly name: string
  /** Lines of its address. */
  readonly lines: readonly string[]
}

/** Null: papers name nobody who pays out. [invoices#payouts] */
export function operatorOf(read: Read): Operator | null {
  const [name, address] = [read('OPERATOR_NAME'), read('OPERATOR_ADDRESS')]
  if (name === null && address === null) return null
  if (name === null) throw new ConfigError('OPERATOR_ADDRESS needs OPERATOR_NAME: say whose it is.')
  const lines = (address ?? '').split(';').map((line) => line.trim())
  const all = [name, ...lines.filter((line) => line !== '')]
  if (all.length <= limits.operatorLinesMax && all.every((line) => line.length <= 200)) {
    return { name, lines: all.slice(1) }
  }
  throw new ConfigError(
    `OPERATOR_NAME and OPERATOR_ADDRESS must be at most ${limits.operatorLinesMax} lines of at most 200 characters.`,
  )
}
