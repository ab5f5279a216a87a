/** Where a Redis is and how to log in: plain data that can be sent to another thread. */
export type RedisSettings = SingleRedis | SentinelRedis | ClusterRedis

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

interface RedisAccess {
  readonly username: string | null
  readonly password: string | null
  /** Null: no TLS. `ca`: a PEM to trust instead of the system's authorities. */
  readonly tls: { readonly ca: string | null } | null
}

export interface SingleRedis extends RedisAccess, RedisAddress {
  readonly kind: 'single'
  readonly db: number
}

/** A master that is found by asking Sentinels, which take the same password. */
export interface SentinelRedis extends RedisAccess {
  readonly kind: 'sentinel'
  readonly sentinels: readonly RedisAddress[]
  /** The name under which the Sentinels watch the master. */
  readonly name: string
  readonly db: number
}

export interface ClusterRedis extends RedisAccess {
  readonly kind: 'cluster'
  /** Some of the nodes; the others are learnt from them. */
  readonly nodes: readonly RedisAddress[]
}

const forms = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/@?#]+)(?:\/([^?#]*))?$/

/**
 * Reads one of
 *
 *    redis://[user:password@]host[:port][/db]
 *    redis+sentinel://[user:password@]host[:port],host[:port]…/NAME[/db]
 *    redis+cluster://[user:password@]host[:port],host[:port]…
 *
 * each with `rediss` for TLS. Null where the text is none of them. (No URL class reads several
 * hosts.)
 */
export function parseRedisUrl(text: string): RedisSettings | null {
  const match = forms.exec(text)
  if (match === null) return null
  const [, scheme, kind = 'single', userinfo, hosts = '', rest = ''] = match
  const addresses = hosts.split(',').map((host) => addressOf(host, defaultPorts[kind] ?? 0))
  const names = userinfo === undefined ? nobody : accessOf(userinfo)
  const [first] = addresses
  const path = rest === '' ? [] : rest.split('/')
  if (names === null || first == null || !addresses.every((each) => each !== null)) return null
  const access = { ...names, tls: scheme === 'rediss' ? { ca: null } : null }
  if (kind === 'cluster') {
    return path.length === 0 ? { kind, nodes: addresses, ...access } : null
  }
  const name = kind === 'sentinel' ? decoded(path.shift() ?? '') : ''
  const db = dbOf(path)
  if (name === null || db === null) return null
  if (kind === 'sentinel') {
    return name === '' ? null : { kind, sentinels: addresses, name, db, ...access }
  }
  return addresses.length > 1 ? null : { kind: 'single', ...first, db, ...access }
}

const defaultPorts: Readonly<Record<string, number>> = {
  single: 6379,
  cluster: 6379,
  sentinel: 26379,
}

const nobody = { username: null, password: null }

function addressOf(text: string, defaultPort: number): RedisAddress | null {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3] ?? defaultPort)
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}

/** `user:password` or `:password`; Redis has no use for a user without a password. */
function accessOf(text: string): Pick<RedisAccess, 'username' | 'password'> | null {
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const [username, password] = [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))]
  if (username === null || password === null || password === '') return null
  return { username: username === '' ? null : username, password }
}

function dbOf(path: readonly string[]): number | null {
  const [text = '0', ...more] = path
  return more.length === 0 && /^\d{1,5}$/.test(text) ? Number(text) : null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
