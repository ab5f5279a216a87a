import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteScratch } from '../process/left-behind.ts'

/** A directory for a server's files. */
export interface Scratch {
  readonly path: string
  remove(): Promise<void>
}

// Reads nothing until the pipe from us ends, which it does however we end. A server that is being
// killed at the same moment may still write: again until nothing comes back.
const removeAfterUs = `
  while read -r _; do :; done
  for try in 1 2 3 4 5 6 7 8 9; do
    rm -rf -- "$1" && sleep 0.3
    [ -e "$1" ] || exit 0
  done`

/** A new directory. It is removed when this process ends, too, and be it by `kill -9`. */
export function scratch(name: string): Scratch {
  const path = mkdtempSync(join(tmpdir(), `sluice-${name}-`))
  noteScratch(path)
  const keeper = spawn('sh', ['-c', removeAfterUs, 'sh', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // Out of our process group: what ends all of us at once must leave this one.
    detached: true,
  })
  const ended = new Promise((done) => keeper.once('close', done))
  keeper.unref()
  const pipe = keeper.stdin as Socket
  pipe.unref()
  return { path, remove }

  async function remove(): Promise<void> {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    // Waited for: nothing else need keep this process going.
    keeper.ref()
    keeper.kill('SIGKILL')
    await ended
  }
}
