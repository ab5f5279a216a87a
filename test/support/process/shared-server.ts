import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Furnished } from './furnished.ts'
import type { Environment } from './server.ts'
import { startServer } from './server.ts'

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

const placeIn = (run: string): string => join(run, 'shared')

/** Starts it in the run's directory. Answers what stops it. */
export async function startSharedServer(run: string): Promise<() => Promise<void>> {
  const place = placeIn(run)
  mkdirSync(place)
  const [directory, log] = [join(place, 'data'), join(place, 'log')]
  // Clients may say where they come from, because one address alone would soon reach its limit.
  const environment = { DATA_DIR: directory, TRUSTED_PROXIES: '127.0.0.1' }
  const { install } = await import('./install.ts')
  const furnished = await install(directory, businesses)
  const server = await startServer(environment)
  const kill = () => void server.child.kill('SIGKILL')
  process.once('exit', kill)
  writeFileSync(log, '')
  server.child.stderr?.on('data', (chunk: Buffer) => writeFileSync(log, chunk, { flag: 'a' }))
  const shared: SharedServer = { ready: server.ready, environment, log, furnished }
  writeFileSync(join(place, 'server.new'), JSON.stringify(shared))
  renameSync(join(place, 'server.new'), join(place, 'server'))
  return async () => {
    await server.stop()
    process.off('exit', kill)
  }
}

/** The server that the set-up of this run has started, and a business that no other file has. */
export function joinSharedServer(): SharedServer & { readonly own: Furnished } {
  const run = process.env['TEST_RUN_DIRECTORY']
  assert(run !== undefined, 'TEST_RUN_DIRECTORY is not set: run through `npm test`.')
  const place = placeIn(run)
  const shared = JSON.parse(readFileSync(join(place, 'server'), 'utf8')) as SharedServer
  const own = shared.furnished.find((_, index) => isFirst(join(place, `taken-${index}`)))
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
