import { spawn } from 'node:child_process'
import { lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'

/** A way to run PostgreSQL's programs, which refuse to be root. */
export interface Privileges {
  /**
   * Programs to put in front, each of which execs the next one, so that the pid stays the child's.
   */
  readonly prefix: readonly string[]
  /** The user who must own the files. */
  readonly uid: number
}

/** `nobody`, a user that every system knows: initdb looks the name up. */
export const nobody = 65_534

const setpriv = ['setpriv', '--pdeathsig', 'INT']
const inNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]

/**
 * How root runs PostgreSQL where namespaces are forbidden. The secure bit makes access(2), with
 * which PostgreSQL looks at its own files, heed the capability.
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
 * Three ways, of which the first one that works is taken:
 *
 * - not root: as the user that we are;
 * - root, in a user namespace where we are called nobody: the files stay root's, and a place that
 *   only root can enter will do;
 * - root where namespaces are forbidden (a container's default): as nobody, with the one capability
 *   to pass through folders that only root can enter.
 *
 * In each of them a parent-death signal shuts PostgreSQL down when this process is killed with
 * `kill -9`. The signal follows the thread that spawns, so call this from the main thread only.
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

/** The environment for PostgreSQL's programs: PG* variables of ours would lead them astray. */
export function environmentOf(libraryPath: string | null): Record<string, string> {
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const common = { PATH: path, LC_ALL: 'C', TZ: 'UTC' }
  return libraryPath === null ? common : { ...common, LD_LIBRARY_PATH: libraryPath }
}

/**
 * Gives the folder and everything in it to `uid`, if another user owns it because PostgreSQL was
 * run in another way before.
 */
export async function ensureOwner(path: string, uid: number): Promise<void> {
  if (process.getuid?.() !== 0 || (await lstat(path)).uid === uid) return
  const names = await readdir(path, { recursive: true })
  for (const name of names) await lchown(join(path, name), uid, uid)
  // The folder itself comes last, so that a change that was interrupted is noticed and done again.
  await lchown(path, uid, uid)
}

function succeeds([command = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'ignore', env: environmentOf(null) })
    child.once('error', () => done(false))
    child.once('close', (status) => done(status === 0))
  })
}
