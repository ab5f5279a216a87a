import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { isProgram, onPath, run } from './programs.ts'
import { certificates } from './tls.ts'

const program = process.env['TEST_REDIS_SERVER'] ?? onPath('redis-server') ?? ''
const cliProgram = join(dirname(program), 'redis-cli')

/** Null when a real Redis can run here; else what would enable it. */
export const redisMissing: string | null =
  isProgram(program) && isProgram(cliProgram)
    ? null
    : 'a real Redis: set TEST_REDIS_SERVER to a redis-server with its redis-cli beside it, or put both on PATH'

export type Directives = Readonly<Record<string, string>>

/** How clients, and its like, come in. */
export interface RedisSecurity {
  readonly password?: string
  /** With a certificate of `certificates()`; plain connections are refused. */
  readonly tls?: boolean
}

export interface RedisPlace {
  readonly directory: string
  /** The port among them. */
  readonly directives: Directives
  readonly sentinel?: boolean
}

/** No more than memory: a Redis that comes back is empty, unless its directives say else. */
const forgetful: Directives = {
  save: '""',
  appendonly: 'no',
  'maxmemory-policy': 'noeviction',
  'repl-diskless-sync-delay': '0',
}

/** Starts one Redis, or one sentinel; answers when it takes commands. */
export function startRedisProcess(place: RedisPlace): Promise<ServerProcess> {
  if (redisMissing !== null) throw new Error(`Missing is ${redisMissing}.`)
  const { directory, directives, sentinel = false } = place
  mkdirSync(directory, { recursive: true })
  const file = join(directory, 'redis.conf')
  // Else its process would not be known by the path of its files.
  const named = { bind: '127.0.0.1', dir: directory, 'set-proc-title': 'no' }
  const base = { ...named, ...(sentinel ? {} : forgetful) }
  const lines = Object.entries({ ...base, ...directives }).map(
    ([name, value]) => `${name} ${value}\n`,
  )
  writeFileSync(file, lines.join(''))
  return launchServer({
    command: [program, file, ...(sentinel ? ['--sentinel'] : [])],
    log: `${directory}.log`,
    ready: sentinel ? '+monitor master' : 'Ready to accept connections',
    readyWithinMs: 120_000,
  })
}

/** The directives of a port that only those with the password, and by TLS, may use. */
export async function securedBy(port: number, security: RedisSecurity): Promise<Directives> {
  const { password, tls = false } = security
  const words: Record<string, string> =
    password === undefined ? {} : { requirepass: quoted(password), masterauth: quoted(password) }
  if (!tls) return { port: `${port}`, ...words }
  const { ca, cert, key } = await certificates()
  return {
    port: '0',
    'tls-port': `${port}`,
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-ca-cert-file': ca,
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
    ...words,
  }
}

/** As a word of a configuration file. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Runs redis-cli and answers what it prints, without the last newline; throws when refused. */
export async function redisCli(
  target: RedisSecurity & { readonly port: number },
  args: readonly string[],
): Promise<string> {
  const { port, password, tls = false } = target
  const env: Record<string, string> = password === undefined ? {} : { REDISCLI_AUTH: password }
  const secure = tls ? ['--tls', '--cacert', (await certificates()).ca] : []
  const command = [cliProgram, '-e', '-h', '127.0.0.1', '-p', `${port}`, ...secure, ...args]
  return (await run(command, env)).replace(/\n$/, '')
}

/** Sluice's settings for addresses of this kind. */
export async function redisSettings(
  kind: '' | '+sentinel' | '+cluster',
  addresses: string,
  { password, tls = false }: RedisSecurity,
): Promise<{ readonly REDIS_URL: string; readonly REDIS_TLS_CA?: string }> {
  const word = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  const url = `${tls ? 'rediss' : 'redis'}${kind}://${word}${addresses}`
  return { REDIS_URL: url, ...(tls ? { REDIS_TLS_CA: (await certificates()).ca } : {}) }
}
