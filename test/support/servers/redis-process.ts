import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { isProgram, onPath, run } from './programs.ts'
import { certificates } from './tls.ts'

const program = process.env['TEST_REDIS_SERVER'] ?? onPath('redis-server') ?? ''
const cliProgram = join(dirname(program), 'redis-cli')

/** Null where a real Redis can run here; else what would enable it. */
export const redisMissing: string | null =
  isProgram(program) && isProgram(cliProgram)
    ? null
    : 'a real Redis: set TEST_REDIS_SERVER to a redis-server with its redis-cli beside it, or put both on PATH'

export type Directives = Readonly<Record<string, string>>

/** How clients, and other Redis processes, connect. */
export interface RedisSecurity {
  readonly password?: string
  /** With a certificate of `certificates()`. Plain connections are refused. */
  readonly tls?: boolean
}

export interface RedisPlace {
  readonly directory: string
  /** Including the port. */
  readonly directives: Directives
  readonly sentinel?: boolean
}

/** No disk: a Redis that is started again is empty, unless its directives say otherwise. */
const forgetful: Directives = {
  save: '""',
  appendonly: 'no',
  'maxmemory-policy': 'noeviction',
  'repl-diskless-sync-delay': '0',
}

/** Starts one Redis, or one sentinel. Answers when it takes commands. */
export function startRedisProcess(place: RedisPlace): Promise<ServerProcess> {
  if (redisMissing !== null) throw new Error(`Missing is ${redisMissing}.`)
  const { directory, directives, sentinel = false } = place
  mkdirSync(directory, { recursive: true })
  const file = join(directory, 'redis.conf')
  // So its command line names its files, and its process can be found by their path.
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

/** The directives of a port that demands the password and TLS. */
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

/** A word as a configuration file takes it. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/**
 * Runs redis-cli, and answers what it prints, without the last newline. Throws where Redis refuses.
 */
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

/** Sluice's settings for such addresses. */
export async function redisSettings(
  kind: '' | '+sentinel' | '+cluster',
  addresses: string,
  { password, tls = false }: RedisSecurity,
): Promise<{ readonly REDIS_URL: string; readonly REDIS_TLS_CA?: string }> {
  const word = password === undefined ? '' : `:${encodeURIComponent(password)}@`
  const url = `${tls ? 'rediss' : 'redis'}${kind}://${word}${addresses}`
  return { REDIS_URL: url, ...(tls ? { REDIS_TLS_CA: (await certificates()).ca } : {}) }
}
