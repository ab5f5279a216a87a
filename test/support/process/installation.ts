import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runDirectory } from '../run/run-directory.ts'
import type { Furnished } from './furnished.ts'

/**
 * Makes `directory`, which must not exist, a data directory that no server has run on yet, with a
 * business and its keys. It is a copy of one that is made once in a run.
 */
export async function installAt(directory: string): Promise<Furnished> {
  const run = runDirectory()
  const furnished = await installedOnce(run)
  await promisify(execFile)('cp', ['-a', join(run, 'installation'), directory])
  return furnished
}

/** Makes it in the first process that needs it; others wait for that. */
async function installedOnce(run: string): Promise<Furnished> {
  const [made, lock] = [join(run, 'installation.json'), join(run, 'installing')]
  for (;;) {
    const furnished = read(made)
    if (furnished !== null) return furnished
    if (locked(lock)) {
      try {
        writeFileSync(`${made}.new`, JSON.stringify(await installOne(join(run, 'installation'))))
        renameSync(`${made}.new`, made)
      } finally {
        rmSync(lock, { recursive: true })
      }
    } else await sleep(50)
  }
}

async function installOne(directory: string): Promise<Furnished> {
  // Not loaded by the many files that only copy what there is.
  const { install } = await import('./install.ts')
  const [furnished] = await install(directory, 1)
  assert(furnished !== undefined)
  return furnished
}

function read(path: string): Furnished | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Furnished
  } catch {
    return null
  }
}

function locked(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}
