import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pauseFor } from '../../../runtime/pause.ts'

/** What a running server writes about itself into its data directory. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly socketDirectory: string
  readonly ready: boolean
}

/** Reads `postmaster.pid`; null when there is none, or when it is not complete yet. */
export async function readPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketDirectory, , , status] = text.split('\n')
  const number = Number(pid)
  if (!Number.isSafeInteger(number) || number <= 0 || socketDirectory === undefined) return null
  const ready = status?.trim() === 'ready'
  return { pid: number, port: Number(port), socketDirectory, ready }
}

/**
 * Whether the process is a server on just this data directory: the pid alone may belong to another
 * program by now.
 */
export async function isServing({ pid }: Postmaster, data: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  // The server's working directory is its data directory.
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  if (directory !== null) return directory === data
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(data)
}

/**
 * Makes sure that no server runs on the data directory. The caller holds the lock on it, so a
 * server that is found there has lost its owner, and is most likely shutting down already.
 */
export async function endStrayServer(data: string): Promise<void> {
  const stray = await readPostmaster(data)
  if (stray === null) return
  if (await isServing(stray, data)) await endServer(stray.pid, 15_000)
  const left = await readPostmaster(data)
  if (left === null) return
  // A reused pid would make the next server believe that this one still runs.
  await rm(join(data, 'postmaster.pid'), { force: true })
  await rm(join(left.socketDirectory, `.s.PGSQL.${left.port}.lock`), { force: true })
}

/**
 * Asks for a fast shutdown (clients are cut off, everything is written down). When that takes too
 * long, asks for an immediate one, after which the next start recovers from the write-ahead log.
 */
export async function endServer(pid: number, withinMs: number): Promise<void> {
  const fastMs = Math.max(500, withinMs - 1_500)
  if (send(pid, 'SIGINT') && !(await gone(pid, fastMs)) && send(pid, 'SIGQUIT')) {
    if (!(await gone(pid, 1_000))) send(pid, 'SIGKILL')
    await gone(pid, 500)
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (send(pid, 0) && !(await isZombie(pid))) {
    if (performance.now() > deadline) return false
    await pauseFor(10)
  }
  return true
}

/**
 * Whether the process is dead and its parent has not noticed yet, which can take long for an
 * orphan.
 */
async function isZombie(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')')).startsWith(') Z')
}
