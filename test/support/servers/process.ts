import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/** The process of a server, which dies with the process that started it. */
export interface ServerProcess {
  readonly pid: number
  readonly running: boolean
  /** Kills it with -9. Answers when it has ended. */
  kill(): Promise<void>
  /** Asks it to end, and kills it where it has not ended after `withinMs`. */
  end(signal: NodeJS.Signals, withinMs: number): Promise<void>
  /** Sends SIGSTOP: it keeps its connections and answers nobody. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

export interface Launch {
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** A new file for what it says. */
  readonly log: string
  /** The server takes requests as soon as this stands in its log. */
  readonly ready: string
  readonly readyWithinMs: number
  readonly env?: Readonly<Record<string, string>>
  /** The command that makes the program die with this process; by default `kill -9` does it. */
  readonly prefix?: readonly string[]
}

const dyingWithUs = ['setpriv', '--pdeathsig', 'KILL']

/**
 * Starts a server, and answers when it says that it is ready. Call this from the main thread: the
 * parent-death signal comes when the *thread* that started the server ends.
 *
 * @throws Error with the end of its log where it ends, or is not ready in time.
 */
export async function launchServer(launch: Launch): Promise<ServerProcess> {
  assert(isMainThread, 'The server would die with this thread.')
  const { log, prefix = dyingWithUs } = launch
  const [command = '', ...args] = [...prefix, ...launch.command]
  const output = openSync(log, 'w', 0o600)
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...launch.env },
    cwd: '/',
    // In a process group of its own: Ctrl-C is for the tests, and ends the server by ending them.
    detached: true,
  })
  closeSync(output)
  const server = processOf(child)
  try {
    await becomeReady(child, launch)
  } catch (error) {
    await server.kill()
    throw error
  }
  return server
}

async function becomeReady(child: ChildProcess, launch: Launch): Promise<void> {
  const { command, log, ready, readyWithinMs } = launch
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    if (failure !== null) throw failure
    const text = readFileSync(log, 'utf8')
    if (text.includes(ready)) return
    const why = hasEnded(child) ? 'ended' : performance.now() > deadline ? 'is not ready' : null
    if (why !== null) {
      const said = text.trim().split('\n').slice(-8).join('\n')
      throw new Error(`${command[0]} ${why}:\n${said}`)
    }
    await sleep(20)
  }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

function processOf(child: ChildProcess): ServerProcess {
  const pid = child.pid ?? 0
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
  return {
    pid,
    get running() {
      return !hasEnded(child)
    },
    kill,
    end,
    freeze,
    thaw: async () => {
      child.kill('SIGCONT')
    },
  }

  async function kill(): Promise<void> {
    if (!hasEnded(child)) child.kill('SIGKILL')
    await ended
  }

  async function end(signal: NodeJS.Signals, withinMs: number): Promise<void> {
    child.kill('SIGCONT')
    child.kill(signal)
    const impatience = setTimeout(() => child.kill('SIGKILL'), withinMs)
    await ended
    clearTimeout(impatience)
  }

  /** Answers when the last of its threads has stopped, a moment after the signal. */
  async function freeze(): Promise<void> {
    if (hasEnded(child)) throw new Error(`Process ${pid} has ended and cannot be frozen.`)
    child.kill('SIGSTOP')
    while (!hasEnded(child) && stateOf(pid) !== 'T') await sleep(2)
  }
}

/**
 * A process's state in /proc: R runs, S sleeps, T is stopped, Z is a zombie; empty: it does not
 * exist.
 */
export function stateOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2)[0] ?? ''
  } catch {
    return ''
  }
}
