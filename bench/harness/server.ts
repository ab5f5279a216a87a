import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onEnd } from './processes.ts'

/** A server as `npm start` runs it, on free ports, in a process of its own. */
export interface Server {
  readonly pid: number
  /** What `serve --json` printed. */
  readonly ready: Readonly<Record<string, string | null>>
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>
}

export interface ServerOptions {
  readonly dataDir: string
  /** Its roles; absent: all of them. */
  readonly roles?: string
  /** Flags for node. */
  readonly flags?: readonly string[]
  /** Another program than `serve` that prints the same line. */
  readonly program?: URL
  /** Settings besides ports and the data directory. */
  readonly settings?: Settings
}

/** Settings by their names in the environment. */
export type Settings = Readonly<Record<string, string>>

// Relative to dist/bench/harness.
const entry = fileURLToPath(new URL('../../../src/start.js', import.meta.url))

/**
 * Resolves when it is ready. If it ends by itself later on, that is reported and ends the bench.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { flags = [], program, roles } = options
  const serve = [entry, 'serve', '--json', ...(roles === undefined ? [] : ['--roles', roles])]
  const words = program === undefined ? serve : [fileURLToPath(program)]
  const child = spawn(process.execPath, [...flags, ...words], {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, because the program that we start may run the server as a
    // child.
    detached: true,
  })
  const forget = onEnd(() => killGroup(child))
  const last = lastWords(child)
  let stopping = false
  const ended = new Promise<void>((done) => {
    child.once('close', (status, signal) => {
      forget()
      if (!stopping || status !== 0) {
        process.stderr.write(`The server ended with ${signal ?? status}: ${last()}\n`)
        process.exit(1)
      }
      done()
    })
  })
  const ready = JSON.parse(await firstLine(child)) as Server['ready']
  return { pid: child.pid ?? 0, ready, stop }

  function stop(): Promise<void> {
    stopping = true
    child.kill('SIGTERM')
    return ended
  }
}

/** Runs a command of the operator's, and answers the document that it prints. */
export async function command(
  words: readonly string[],
  options: Pick<ServerOptions, 'dataDir' | 'settings'>,
): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...words, '--json'], {
    env: environmentOf(options),
  })
  return JSON.parse(stdout) as Readonly<Record<string, string>>
}

function environmentOf({ dataDir, settings }: ServerOptions) {
  const ports = { PORT: '0', LIVE_PORT: '0', OPS_PORT: '0' }
  const PATH = process.env['PATH']
  return { PATH, ...ports, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings }
}

/** Kills it with everything that it has started. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It had ended by itself.
  }
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((done) => {
    let text = ''
    stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) done(text)
    })
  })
}

/** The end of what it wrote to stderr. */
function lastWords({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4_000)
  })
  return () => text
}

/** A directory that is removed when the bench ends, in whatever way. */
export function scratchDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const forget = onEnd(clear)
  return { path, remove }

  function remove(): void {
    clear()
    forget()
  }

  function clear(): void {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
}
