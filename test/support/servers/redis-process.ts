import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { isProgram, onPath, run } from './programs.ts'

const program = process.env['TEST_REDIS_SERVER'] ?? onPath('redis-server')
const cliProgram = program === null ? '' : join(dirname(program), 'redis-cli')

/** Null when a real Redis can run here; else what would enable it. */
export const redisMissing: string | null =
  program !== null && isProgram(program) && isProgram(cliProgram)
    ? null
    : 'a real Redis: put redis-server and redis-cli on PATH, or set TEST_REDIS_SERVER to the first'

export interface RedisPlace {
  readonly directory: string
  readonly port: number
  readonly config: Readonly<Record<string, string>>
}

/** No more than memory: a Redis that comes back is empty, unless the configuration says else. */
const volatile = { save: '', appendonly: 'no', 'maxmemory-policy': 'noeviction' }

/** Starts one Redis; answers when it takes commands. */
export function startRedisProcess(place: RedisPlace): Promise<ServerProcess> {
  if (program === null || redisMissing !== null) throw new Error(`Missing is ${redisMissing}.`)
  const { directory, port, config } = place
  mkdirSync(directory, { recursive: true })
  const settings = { bind: '127.0.0.1', port, dir: directory, ...volatile, ...config }
  return launchServer({
    command: [
      program,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ],
    log: `${directory}.log`,
    ready: 'Ready to accept connections',
    readyWithinMs: 30_000,
  })
}

/** Runs redis-cli; throws when the command is refused. */
export function redisCli(
  target: { readonly port: number; readonly password?: string | undefined },
  args: readonly string[],
): Promise<string> {
  const { port, password } = target
  const env: Record<string, string> = password === undefined ? {} : { REDISCLI_AUTH: password }
  return run([cliProgram, '-e', '-h', '127.0.0.1', '-p', `${port}`, ...args], env).then((out) =>
    out.replace(/\n$/, ''),
  )
}
