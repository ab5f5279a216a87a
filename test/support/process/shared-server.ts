import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runDirectory } from '../run/run-directory.ts'
import type { Furnished } from './furnished.ts'
import type { Environment } from './server.ts'
import { proxied, startServer } from './server.ts'

/** A server that many test files talk to at once, each for a business of its own. */
export interface SharedServer {
  /** What `serve --json` printed. */
  readonly ready: Readonly<Record<string, string | null>>
  readonly environment: Environment
  /** Where it logs. */
  readonly log: string
  readonly furnished: readonly Furnished[]
}

/** How many test files one run may have that share it. */
const businesses = 32

const place = (): string => join(runDirectory(), 'shared')

/** Starts it in the run's directory. Answers what stops it. */
export async function startSharedServer(): Promise<() => Promise<void>> {
  mkdirSync(place())
  const [directory, log] = [join(place(), 'data'), join(place(), 'log')]
  const environment = { DATA_DIR: directory, ...proxied }
  const { install } = await import('./install.ts')
  const furnished = await install(directory, businesses)
  const server = await startServer(environment)
  const kill = () => void server.child.kill('SIGKILL')
  process.once('exit', kill)
  writeFileSync(log, '')
  server.child.stderr?.on('data', (chunk: Buffer) => writeFileSync(log, chunk, { flag: 'a' }))
  const shared: SharedServer = { ready: server.ready, environment, log, furnished }
  // No file has begun yet that could read it.
  writeFileSync(join(place(), 'server'), JSON.stringify(shared))
  return async () => {
    await server.stop()
    process.off('exit', kill)
  }
}

/** The server that the set-up of this run has started, and a business that no other file has. */
export function joinSharedServer(): SharedServer & { readonly own: Furnished } {
  const shared = JSON.parse(readFileSync(join(place(), 'server'), 'utf8')) as SharedServer
  const own = shared.furnished.find((_, index) => isFirst(join(place(), `taken-${index}`)))
  assert(own !== undefined, `More than ${businesses} files share the server: let it have more.`)
  return { ...shared, own }
}

/** Whether nobody has made this directory before. */
function isFirst(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false
  }
}
