import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/root.ts'
import { inRoomyMemory } from '../servers/scratch.ts'
import { noteScratch } from './left-behind.ts'

export type Environment = Readonly<Record<string, string>>

/**
 * Free ports, and a database without syncs: in tests a process may crash, and the machine does not.
 */
export const free: Environment = {
  PORT: '0',
  LIVE_PORT: '0',
  OPS_PORT: '0',
  DATABASE_ALLOW_OFF: 'fsync,full_page_writes',
}

/** Clients may say where they come from, because one address alone would soon reach its limit. */
export const proxied: Environment = { TRUSTED_PROXIES: '127.0.0.1' }

/** What a process has said, and how it ended. */
export interface Outcome {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly error: string
}

/** Runs `sluice …` to its end, as a person would. `entry` runs another build. */
export async function sluice(
  words: readonly string[],
  environment: Environment,
  entry?: string,
): Promise<Outcome> {
  return outcome(start(words, environment, entry))
}

export interface Launched {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
}

/** Starts `sluice …`, and answers the running process; its stdin is a pipe. */
export function launch(words: readonly string[], environment: Environment): Launched {
  const child = start(words, environment, undefined, 'pipe')
  return { child, ended: outcome(child) }
}

export interface Server extends Launched {
  /** What `serve --json` printed. */
  readonly ready: Readonly<Record<string, string | null>>
  stop(signal?: NodeJS.Signals): Promise<Outcome>
}

/**
 * Starts the built server on free ports, and answers when it is ready. `roles` as in `--roles`;
 * `entry` runs another build.
 */
export async function startServer(
  environment: Environment,
  roles?: string,
  entry?: string,
): Promise<Server> {
  const some = roles === undefined ? [] : ['--roles', roles]
  const child = start(['serve', '--json', ...some], environment, entry)
  const ended = outcome(child)
  const line = await new Promise<string>((done, failed) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) done(text)
    })
    void ended.then(({ error }) => failed(new Error(`The server did not start: ${error}`)))
  })
  const ready = JSON.parse(line) as Server['ready']
  return { child, ready, ended, stop }

  function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
    child.kill(signal)
    return ended
  }
}

function start(
  words: readonly string[],
  environment: Environment,
  entry = join(root, 'src/start.js'),
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  // Where the environment names another place for the HTTP engine, the server is told, too.
  const { PATH = '', HTTP_ENGINE_FROM } = process.env
  const from = HTTP_ENGINE_FROM === undefined ? {} : { HTTP_ENGINE_FROM }
  const env = { PATH, ...from, ...free, ...environment }
  return spawn(process.execPath, [entry, ...words], { env, stdio: [stdin, 'pipe', 'pipe'] })
}

function outcome(child: ChildProcess): Promise<Outcome> {
  let [out, error] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    error += chunk.toString()
  })
  return new Promise((done) => {
    child.once('close', (status, signal) => done({ status, signal, out, error }))
  })
}

/**
 * A directory of its own, in memory where that has room: what only kills processes needs no disk
 * that keeps their files. `remove` removes it with all that is in it, and again for some seconds
 * while a PostgreSQL whose server was killed still writes there.
 */
export function scratchDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(inRoomyMemory, 'sluice-dir-'))
  noteScratch(path)
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 12 }) }
}

/** The ids of the processes whose command line contains `text`. */
export function processesNaming(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
