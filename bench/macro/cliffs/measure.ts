import { setTimeout as sleep } from 'node:timers/promises'
import { cpuTime } from '../../harness/cpu.ts'
import { startLoad } from '../../harness/load.ts'
import type { Line } from '../../harness/result.ts'
import { figure } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import type { Workload } from '../../harness/workload.ts'
import { openBooks } from '../books.ts'
import { mebibyte, ownBytes } from '../watching.ts'

export interface Shape {
  readonly workload: Workload
  readonly connections: number
  /** For how long is sent, in ms, as fast as the server takes it. */
  readonly forMs: number
  /** Ends it sooner; absent: nothing does. */
  readonly eventsMax?: number
}

const deadlineMs = 300_000

/**
 * Sends, and waits until every event is measured and settled: what one has cost, of the server's
 * CPU and of the store's. @throws where the server does not get done.
 */
export async function measured(site: Site, label: string, shape: Shape): Promise<Line> {
  const books = await openBooks(site)
  const before = await books.progress()
  const spentBefore = cpuTime(site.pid)
  const from = performance.now()
  const { connections, eventsMax = Number.MAX_SAFE_INTEGER, forMs, workload } = shape
  const { apiKey, url } = site
  const order = { apiKey, connections, eventsMax, url, workload, rate: null, deadlineMs: forMs }
  const load = await startLoad(order)
  const { events, p50Ms, p99Ms } = await load.done
  const acceptedMs = performance.now() - from
  const goal = before.measured + events
  for (let isDone = false; !isDone; ) {
    if (performance.now() - from > forMs + deadlineMs) throw new Error('It does not get done.')
    const { measured: soFar, settled } = await books.progress()
    isDone = soFar >= goal && settled
    if (!isDone) await sleep(20)
  }
  const spent = cpuTime(site.pid)
  await books.close()
  const perEvent = (of: 'own' | 'started') =>
    ((spent?.[of] ?? Number.NaN) - (spentBefore?.[of] ?? 0)) / events
  return {
    label,
    figures: [
      figure('events', events, ''),
      figure('accepted/s', events / (acceptedMs / 1_000), ''),
      figure('CPU/event', perEvent('own'), 'µs'),
      figure('PostgreSQL/event', perEvent('started'), 'µs'),
      figure('p50', p50Ms, 'ms'),
      figure('p99', p99Ms, 'ms'),
      figure('memory', ownBytes(site.pid) / mebibyte, 'MiB'),
    ],
  }
}
