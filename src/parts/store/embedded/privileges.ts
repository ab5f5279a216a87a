import { spawn } from 'node:child_process'
import { lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'

/** A way to run PostgreSQL's programs, which refuse to be root. */
export interface Privileges {
  /**
   * Goes in front of a program and its arguments. Each link of it execs, so the pid stays the
   * child's.
   */
  readonly prefix: readonly string[]
  /** Who has to own the files. */
  readonly uid: number
}

/** `nobody`, whom every system knows: initdb looks the name up. */
export const nobody = 65_534

const setpriv = ['setpriv', '--pdeathsig', 'INT']
const inNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]

/**
 * Root's way where namespaces are forbidden. The secure bit makes access(2), by which PostgreSQL
 * looks at its own files, heed the capability.
 */
export const asNobody: Privileges = {
  prefix: [
    ...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'],
    ...['--securebits=+no_setuid_fixup'],
    ...['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'],
    ...['--pdeathsig', 'INT'],
  ],
  uid: nobody,
}

/**
 * Three ways, the first that works here:
 *
 * - not root: as we are;
 * - root, in a user namespace where we are called nobody: the files stay root's, and a place that
 *   only root can enter will do;
 * - root where namespaces are forbidden (a container's default): as nobody, with the one capability
 *   to pass through folders that only root can enter.
 *
 * In front of each stands a parent-death signal, so that a `kill -9` of this process shuts
 * PostgreSQL down. The signal follows the thread that spawns: call this from the main one only.
 */
export async function findPrivileges(binary: string): Promise<Privileges> {
  const uid = process.getuid?.() ?? 0
  const probe = (prefix: readonly string[]) => succeeds([...prefix, binary, '--version'])
  if (uid !== 0) {
    const prefix = (await probe(setpriv)) ? setpriv : []
    return { prefix, uid }
  }
  const namespaced = [...inNamespace, ...setpriv]
  if (await probe(namespaced)) return { prefix: namespaced, uid: 0 }
  if (await probe(asNobody.prefix)) return asNobody
  throw new Refusal(
    'PostgreSQL refuses to run as root, and neither user namespaces (unshare) nor setpriv work here: run as another user, or set DATABASE_URL.',
  )
}

/** What PostgreSQL's programs may know of our environment: PG* variables would lead them astray. */
export function environmentOf(libraryPath: string | null): Record<string, string> {
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const common = { PATH: path, LC_ALL: 'C', TZ: 'UTC' }
  return libraryPath === null ? common : { ...common, LD_LIBRARY_PATH: libraryPath }
}

/**
 * Gives the folder and all in it to `uid`, if it is somebody else's: the way to run has changed.
 */
export async function ensureOwner(path: string, uid: number): Promise<void> {
  if (process.getuid?.() !== 0 || (await lstat(path)).uid === uid) return
  const names = await readdir(path, { recursive: true })
  for (const name of names) await lchown(join(path, name), uid, uid)
  // Last, so that a crash in between is found again.
  await lchown(path, uid, uid)
}

function succeeds([command = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'ignore', env: environmentOf(null) })
    child.once('error', () => done(false))
    child.once('close', (status) => done(status === 0))
  })
}
