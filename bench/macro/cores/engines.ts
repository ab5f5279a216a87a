import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../../harness/load.ts'
import { startParts } from '../../harness/parts.ts'
import type { Line } from '../../harness/result.ts'
import { figure } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import { openSite } from '../../harness/site.ts'
import type { Run } from '../../harness/sizes.ts'
import type { Books } from '../books.ts'
import { openBooks } from '../books.ts'
import { micros, perEvent } from './processes.ts'

const roles = 'billing,sweeps,delivery,archive'
const batch = 100
const patienceMs = 240_000
/** So many for each engine come before the clock starts: one that is young compiles itself. */
const warmShare = 0.2

export interface Axis {
  readonly counts: readonly number[]
  readonly events: number
}

/** Ever more processes that measure and settle, behind one gateway. */
export async function byEngines(run: Run, { counts, events }: Axis): Promise<readonly Line[]> {
  const parts = await startParts(run)
  const whole = await openSite({ ...run, parts })
  const site = await whole.restarted('http')
  const books = await openBooks(site)
  const pids: number[] = []
  const lines: Line[] = []
  for (const count of counts) {
    while (pids.length < count) pids.push((await site.beside(roles)).pid)
    const warm = Math.ceil(events * warmShare * count)
    await settled(site, books, { events: warm, name: `w${count}` })
    const spent = [micros(pids), micros([site.pid])] as const
    const from = performance.now()
    const sent = await settled(site, books, { events, name: `m${count}` })
    const [engines, gateway] = [micros(pids) - spent[0], micros([site.pid]) - spent[1]]
    lines.push({
      label: `${count} engines`,
      figures: [
        figure('settled/s', sent / ((performance.now() - from) / 1_000), ''),
        ...perEvent('CPU/event, engines', engines, sent),
        ...perEvent('CPU/event, gateway', gateway, sent),
      ],
    })
  }
  await books.close()
  await site.stop()
  await parts.stop()
  return lines
}

interface Sending {
  readonly events: number
  readonly name: string
}

/** Sends as fast as the gateway takes it, and waits until all is settled. Answers how many. */
async function settled(site: Site, books: Books, { events, name }: Sending): Promise<number> {
  const before = (await books.progress()).measured
  const load = await startLoad({
    workload: site.workload(`cores${name}`, batch),
    url: site.url,
    apiKey: site.apiKey,
    connections: 16,
    eventsMax: events,
    rate: null,
    deadlineMs: patienceMs,
  })
  const sent = (await load.done).events
  const deadline = performance.now() + patienceMs
  for (;;) {
    const progress = await books.progress()
    if (progress.settled && progress.measured >= before + sent) return sent
    if (performance.now() > deadline) throw new Error('The engines do not get done.')
    await sleep(20)
  }
}
