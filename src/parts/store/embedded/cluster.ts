import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'
import { syncOne, syncTree } from '../../../runtime/copying.ts'
import type { Binaries } from './binaries.ts'
import { copyKeptCluster, keptClusterIn } from './kept-cluster.ts'
import type { Privileges } from './privileges.ts'
import { ensureOwner, environmentOf, nobody } from './privileges.ts'

/** Major version of the binaries; they cannot read the files of another one. */
export const ourMajor = 18

/** The longest path that a Unix socket may have, its name included. */
const socketPathBytesMax = 107

export interface ClusterOptions {
  /** An absolute path of a folder that exists. */
  readonly directory: string
  readonly binaries: Binaries
  readonly privileges: Privileges
  /** False in tests: then a crash of the machine may lose data. */
  readonly durable: boolean
  /** Called once the program that makes a cluster runs. */
  readonly begun?: (() => void) | undefined
  /** The folder of kept clusters (`kept-cluster.ts`). Absent: each is made from nothing. */
  readonly kept?: string | undefined
}

/** The major version that wrote a data directory; null: nothing is there. */
export async function majorOf(data: string): Promise<number | null> {
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null)
  return version === null ? null : Number(version)
}

/** Makes the database cluster if it is not there. Answers its data directory. */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const data = join(options.directory, 'data')
  if ((await majorOf(data)) === null) await makeCluster(options, data)
  await ensureOwner(data, options.privileges.uid)
  return data
}

/** Removes what a start that was killed has left, in which its programs may still make files. */
export const removeLeft = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })

/**
 * Made beside its place and then moved there, so that a cluster that is in place is complete. Where
 * a start was killed, its initdb may still be at work, and clears its folder when it fails: so each
 * has a folder of its own. The cluster is synced here, many files at once: initdb would sync one
 * after the other, which on a busy disk takes as long as all the rest.
 */
export async function makeCluster(options: ClusterOptions, data: string): Promise<void> {
  const { directory, binaries, durable, kept } = options
  for (const name of await readdir(directory)) {
    if (name.startsWith('data.new')) await removeLeft(join(directory, name))
  }
  const aside = join(directory, `data.new-${randomBytes(4).toString('hex')}`)
  await mkdir(aside, { mode: 0o700 })
  const source = kept === undefined ? null : await keptClusterIn(kept, binaries.initdb)
  const isCopied = source !== null && (await copyKeptCluster(source, aside, options.begun))
  if (!isCopied) {
    await removeLeft(aside)
    await mkdir(aside, { mode: 0o700 })
    await runInitdb(options, aside)
  }
  if (durable) await syncTree(aside)
  await rename(aside, data)
  if (durable) await syncOne(directory)
}

async function runInitdb(options: ClusterOptions, folder: string): Promise<void> {
  const { binaries, privileges } = options
  await ensureOwner(folder, privileges.uid)
  const [command = '', ...prefix] = [...privileges.prefix, binaries.initdb]
  const flags = [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ]
  const child = spawn(command, [...prefix, `--pgdata=${folder}`, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environmentOf(binaries.libraryPath),
    cwd: '/',
    // Not in our process group: a signal to the group must not leave half a cluster behind.
    detached: true,
  })
  options.begun?.()
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  await new Promise<void>((done, failed) => {
    child.once('error', failed)
    child.once('close', (status) => {
      if (status === 0) done()
      else failed(new Error(`initdb ended with ${status}: ${errors.trim().slice(-500)}`))
    })
  })
}

/**
 * The folder of the server's socket. Only its owner may enter it, since anybody who reaches the
 * socket is trusted. It lies in the directory itself, or where that path is too long, in the
 * system's temporary folder.
 */
export async function ensureSocketDirectory(directory: string, uid: number): Promise<string> {
  const beside = join(directory, 'socket')
  const fits = Buffer.byteLength(join(beside, '.s.PGSQL.5432')) <= socketPathBytesMax
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const path = fits ? beside : join(tmpdir(), `sluice-${name}`)
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  const self = process.getuid?.()
  const ours = found.uid === self || (self === 0 && found.uid === nobody)
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new Refusal(`${path} must be a folder that only this user may enter: remove it.`)
  }
  await ensureOwner(path, uid)
  return path
}
