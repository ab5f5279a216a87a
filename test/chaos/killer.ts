// Loaded in front of the server (`node --import`), into each of its threads: waits for the moment
// that the file CHAOS_ORDERS names, and kills the process or its PostgreSQL exactly then.
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { momentNames } from '../../src/runtime/moments.ts'
import type { Orders } from './orders.ts'
import { killPostgres } from './processes.ts'

const file = process.env['CHAOS_ORDERS'] ?? ''
const dataDir = process.env['DATA_DIR'] ?? ''
/** How often the moment of the present order has passed in this thread. */
const passed = { order: 0, times: 0 }

for (const name of momentNames) subscribe(`sluice.${name}`, () => strike(name))

function strike(moment: string): void {
  const orders = read()
  if (orders === null || orders.moment !== moment) return
  if (passed.order !== orders.number) Object.assign(passed, { order: orders.number, times: 0 })
  passed.times += 1
  if (passed.times !== orders.times) return
  if (orders.victim === 'postgres') {
    killPostgres(join(dataDir, 'postgres/data'))
    return
  }
  process.kill(process.pid, 'SIGKILL')
  // Waits, so that nothing more happens however long the signal takes.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

function read(): Orders | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Orders
  } catch {
    return null
  }
}
