import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../bench/harness/server.ts'
import { scratchDirectory, startServer } from '../../bench/harness/server.ts'

/** Settings by which a server believes the clock of the file `clock`. */
export function bentClock(clock: string): Settings {
  const program = new URL('../../test/chaos/bent-clock.js', import.meta.url)
  return { CHAOS_CLOCK: clock, NODE_OPTIONS: `--import=${program}` }
}

/** The clock of a server is an hour ahead for `ms`. */
export async function anHourAhead(clock: string, ms: number): Promise<void> {
  writeFileSync(clock, JSON.stringify({ ms: 3_600_000, rate: 0, since: 0 }))
  await sleep(ms)
  rmSync(clock)
}

/** One more server runs for `ms`, for which there is no fast HTTP engine. */
export async function slowEngine(opsPort: number, ms: number): Promise<void> {
  const scratch = scratchDirectory()
  const hook = join(scratch.path, 'without-engine.cjs')
  writeFileSync(hook, withoutEngine)
  const settings = { OPS_PORT: `${opsPort}`, NODE_OPTIONS: `--require=${hook}` }
  const server = await startServer({ dataDir: join(scratch.path, 'data'), settings })
  await sleep(ms)
  await server.stop()
  scratch.remove()
}

const withoutEngine = `const Module = require('node:module')
const load = Module._load
Module._load = function (name, ...rest) {
  if (/uws|uWebSockets/.test(name)) throw new Error('There is none here.')
  return load.call(this, name, ...rest)
}
`
