import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { exists } from '../../../runtime/data-dir.ts'

/**
 * Where the build keeps a cluster with the tables of this version, and nothing in them: that of a
 * new data directory is a copy of it, which takes a tenth of what making one takes. Its name says
 * which programs made it, and for which machine, since others might not read its files.
 */
export async function keptClusterIn(folder: string, initdb: string): Promise<string> {
  const manifest = join(dirname(initdb), '../../package.json')
  const { name, version } = JSON.parse(await readFile(manifest, 'utf8')) as Manifest
  return join(folder, `${basename(name)}-${version}`)
}

interface Manifest {
  readonly name: string
  readonly version: string
}

/**
 * Copies the kept cluster into `folder`, which is empty. False where there is none, or none that
 * this user can read: then a part of it may be there. `begun` is called once the program runs.
 */
export async function copyKeptCluster(
  kept: string,
  folder: string,
  begun?: () => void,
): Promise<boolean> {
  if (!(await exists(kept))) return false
  return new Promise<boolean>((done) => {
    // A program of the system's: our threads would take ten times as long for a thousand small
    // files. By our umask all of it is this user's alone.
    execFile('cp', ['-R', `${kept}/.`, folder], (error) => done(error === null))
    begun?.()
  })
}
