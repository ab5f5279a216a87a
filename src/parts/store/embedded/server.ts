import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { pauseFor } from '../../../runtime/pause.ts'
import type { Programs } from './binaries.ts'
import { endServer, readPostmaster } from './postmaster.ts'
import type { Privileges } from './privileges.ts'
import { environmentOf } from './privileges.ts'

/** One PostgreSQL server: what it is run from, on, and with. */
export interface Launch {
  readonly binaries: Programs
  readonly privileges: Privileges
  readonly data: string
  /** The folder of its socket. */
  readonly socket: string
  /** Tells apart the servers of one folder of sockets; none listens on the network. */
  readonly port: number
  readonly log: string
  readonly arguments: readonly string[]
}

export const portOfStore = 5432

export const socketUrlOf = (socket: string, port = portOfStore): string =>
  `postgres://postgres@localhost:${port}/postgres?host=${encodeURIComponent(socket)}&sslmode=disable`

/** Ends it cleanly if it still runs; after `withinMs` at once. */
export async function endChild(child: ChildProcess, withinMs: number): Promise<void> {
  const { pid } = child
  if (pid === undefined || hasEnded(child)) return
  const ended = new Promise((done) => child.once('exit', done))
  await endServer(pid, withinMs)
  await ended
}

/** Tells how it ended, once it has; at once where it had ended before, of which no event tells. */
export function onceEnded(
  child: ChildProcess,
  told: (status: number | null, signal: NodeJS.Signals | null) => void,
): void {
  if (hasEnded(child)) told(child.exitCode, child.signalCode)
  else child.once('exit', told)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

export async function spawnServer(launch: Launch): Promise<ChildProcess> {
  const { prefix } = launch.privileges
  const [command = '', ...rest] = [...prefix, launch.binaries.postgres]
  const at = ['-k', launch.socket, '-p', `${launch.port}`]
  const log = await open(launch.log, 'a', 0o600)
  try {
    return spawn(command, [...rest, '-D', launch.data, ...at, ...launch.arguments], {
      stdio: ['ignore', log.fd, log.fd],
      env: environmentOf(launch.binaries.libraryPath),
      cwd: '/',
      // Not in our process group: Ctrl-C is for this process, which stops the server at its own
      // end.
      detached: true,
    })
  } finally {
    await log.close()
  }
}

/**
 * Answers when the server accepts connections.
 *
 * @throws Error with the end of its log, where it ends instead.
 */
export async function becomeReady(
  child: ChildProcess,
  { data, log }: Launch,
  signal?: AbortSignal,
): Promise<void> {
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  for (;;) {
    if (failure !== null) throw failure
    signal?.throwIfAborted()
    if (hasEnded(child)) {
      throw new Error(`PostgreSQL did not start: ${await lastLines(log)}`)
    }
    const found = await readPostmaster(data)
    if (found?.ready === true && found.pid === child.pid) return
    await pauseFor(5)
  }
}

async function lastLines(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-3).join(' | ').slice(-500)
}
