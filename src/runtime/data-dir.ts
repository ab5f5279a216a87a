import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { access, constants, mkdir, open, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { Refusal } from '../faults.ts'
import { pauseFor } from './pause.ts'

/** What holds a data directory: a server as long as it runs, or a command for a moment. */
export type Holder = 'server' | 'command'

/** The lock on a data directory. It ends with the process, in whatever way that ends. */
export interface DataDir {
  readonly path: string
  release(): Promise<void>
}

export interface DataDirRequest {
  readonly path: string
  /** The setting that names it. A spool may be open to others: its files are not. */
  readonly setting?: 'DATA_DIR' | 'SPOOL_DIR'
  readonly holder: Holder
  /** How long to wait while a command holds the lock. A server is not waited for. */
  readonly waitMs: number
}

/**
 * Takes the data directory for this process alone, and makes it if it does not exist. Null when a
 * server has it.
 *
 * @throws Refusal when the directory cannot be made or written, or when a command holds it for too
 * long.
 */
export async function takeDataDir(request: DataDirRequest): Promise<DataDir | null> {
  const path = join(request.path, 'lock')
  const file = await openLockFile(request, path)
  const deadline = performance.now() + request.waitMs
  try {
    for (;;) {
      const unlock = await tryLock(file)
      if (unlock !== null) return await taken(file, request, unlock)
      const holder = await holderOf(path)
      if (holder === 'server') break
      if (performance.now() > deadline) {
        throw new Refusal(`Another command is using ${request.path}: try again when it has ended.`)
      }
      await pauseFor(50)
    }
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return null
}

async function taken(
  file: FileHandle,
  request: DataDirRequest,
  unlock: () => Promise<void>,
): Promise<DataDir> {
  await file.truncate(0)
  await file.write(`${JSON.stringify({ holder: request.holder, pid: process.pid })}\n`, 0)
  return {
    path: request.path,
    release: async () => {
      await file.truncate(0)
      await unlock()
      await file.close()
    },
  }
}

async function openLockFile(request: DataDirRequest, path: string): Promise<FileHandle> {
  const { path: directory, setting = 'DATA_DIR' } = request
  try {
    await makeDirectory(directory)
    await access(directory, constants.W_OK)
    if (setting === 'DATA_DIR') await refuseOpen(directory)
    return await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    if (error instanceof Refusal) throw error
    throw new Refusal(
      `${setting} ${directory} cannot be written (${reason}): name a directory that this user may write.`,
      { cause: error },
    )
  }
}

/** Events, ledgers and the key of all secrets are in there, so only this user may read it. */
async function refuseOpen(directory: string): Promise<void> {
  const found = await stat(directory)
  const { mode } = found
  if (!found.isDirectory() || (mode & 0o077) === 0) return
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  throw new Refusal(
    `DATA_DIR ${directory} is open to other users (${octal}): run chmod -R go-rwx on it, or name another directory.`,
  )
}

/**
 * Makes a directory. Node's own recursive mkdir never returns where a file system answers ENOENT to
 * every name (/proc).
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const parent = dirname(path)
    if (code !== 'ENOENT' || (await exists(parent))) throw error
    await makeDirectory(parent)
    await mkdir(path, { mode: 0o700 })
  }
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * The holder of the lock, as it has written there; null while it has not written yet, and where a
 * process has written that is dead.
 */
async function holderOf(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const match = /"holder":"(server|command)","pid":(\d+)/.exec(text)
  if (match === null || !isAlive(Number(match[2]))) return null
  return match[1] === 'server' ? 'server' : 'command'
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Null when another process has the lock. A lock of flock(2) belongs to the open file: so a child
 * that is lent our file can take it for us, and the kernel drops it with our last descriptor, so
 * that no crash leaves it behind. Node opens files close-on-exec, so no other child keeps it.
 */
async function tryLock(file: FileHandle): Promise<(() => Promise<void>) | null> {
  const status = await flock(file)
  if (status === 0) return () => Promise.resolve()
  if (status === conflict) return null
  return lockByName(file)
}

const conflict = 75

function flock(file: FileHandle): Promise<number | null> {
  return new Promise((done) => {
    const child = spawn('flock', ['--exclusive', '--nonblock', '-E', String(conflict), '3'], {
      stdio: ['ignore', 'ignore', 'ignore', file.fd],
    })
    child.once('error', () => done(null))
    child.once('close', done)
  })
}

/** Where there is no flock: an abstract socket, whose name the kernel frees with the process. */
async function lockByName(file: FileHandle): Promise<(() => Promise<void>) | null> {
  const { dev, ino } = await stat(`/proc/self/fd/${file.fd}`)
  const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex')
  const server = createServer()
  return new Promise((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(null)
      else failed(new Refusal('The data directory cannot be locked: install util-linux (flock).'))
    })
    server.listen(`\0sluice-${name}`, () => {
      server.unref()
      done(() => new Promise<void>((closed) => server.close(() => closed())))
    })
  })
}
