import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteScratch } from '../process/left-behind.ts'

/** A directory for a server's files. */
export interface Scratch {
  readonly path: string
  remove(): Promise<void>
}

// The script waits for the end of the pipe from this process, which comes however this process
// ends. Then it removes the directory, and again until nothing is left: a server that is being
// killed at the same moment may still write.
const removeAfterUs = `
  while read -r _; do :; done
  for try in 1 2 3 4 5 6 7 8 9; do
    rm -rf -- "$1" && sleep 0.3
    [ -e "$1" ] || exit 0
  done`

/**
 * In memory where there is such a place: what syncs each change of its state, and takes others for
 * dead by the clock, stands still while the disk is busy.
 */
export const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** What the databases and data directories of a run take at a time, with much to spare. */
const roomBytes = 4 * 1024 ** 3

/**
 * In memory where that has room, for what makes and removes hundreds of files at a time, as a copy
 * of a database does: on a disk that takes ten times the CPU.
 */
export const inRoomyMemory = hasRoom(inMemory) ? inMemory : tmpdir()

/** Makes a directory that is removed when this process ends, even by `kill -9`. */
export function scratch(name: string, parent = tmpdir()): Scratch {
  const path = mkdtempSync(join(parent, `sluice-${name}-`))
  noteScratch(path)
  const keeper = spawn('sh', ['-c', removeAfterUs, 'sh', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // In a process group of its own: a signal to the group of the tests must not reach it.
    detached: true,
  })
  const ended = new Promise((done) => keeper.once('close', done))
  keeper.unref()
  const pipe = keeper.stdin as Socket
  pipe.unref()
  return { path, remove }

  async function remove(): Promise<void> {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    // From here on this process waits for it.
    keeper.ref()
    keeper.kill('SIGKILL')
    await ended
  }
}

function hasRoom(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= roomBytes
  } catch {
    return false
  }
}
