import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from '../../harness/load.ts'
import { startLoad } from '../../harness/load.ts'
import { startParts } from '../../harness/parts.ts'
import type { Line } from '../../harness/result.ts'
import { figure } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import { openSite } from '../../harness/site.ts'
import type { Run } from '../../harness/sizes.ts'
import { measureFew } from '../end-to-end.ts'
import { micros, perEvent } from './processes.ts'

const batch = 100
/** Of each gateway, so that its requests share appends as they do alone. */
const connections = 16

interface Gateway {
  readonly pid: number
  readonly url: string
}

/** Ever more processes with the role `http` on the same Kafka and Redis; nobody measures. */
export async function byGateways(run: Run, counts: readonly number[]): Promise<readonly Line[]> {
  const parts = await startParts(run)
  const whole = await openSite({ ...run, parts })
  await measureFew(whole, run)
  const site = await whole.restarted('http')
  const gateways: Gateway[] = [site]
  const lines: Line[] = []
  for (const count of counts) {
    while (gateways.length < count) {
      const { pid, ready } = await site.beside('http')
      gateways.push({ pid, url: ready['test_url'] ?? '' })
    }
    // A process that is young spends most of its time on compiling itself.
    await loaded(site, gateways, { ...run, name: `w${count}` })
    lines.push(await loaded(site, gateways, { ...run, name: `m${count}` }))
  }
  await site.stop()
  await parts.stop()
  return lines
}

interface Turn {
  readonly name: string
  readonly warmMs: number
  readonly windowMs: number
}

async function loaded(site: Site, gateways: readonly Gateway[], turn: Turn): Promise<Line> {
  const pids = gateways.map(({ pid }) => pid)
  const loads = await Promise.all(
    gateways.map(({ url }, index) =>
      startLoad({
        workload: site.workload(`cores${turn.name}x${index}`, batch),
        url,
        apiKey: site.apiKey,
        connections,
        eventsMax: Number.MAX_SAFE_INTEGER,
        rate: null,
        deadlineMs: turn.warmMs + turn.windowMs + 10_000,
      }),
    ),
  )
  await sleep(turn.warmMs)
  const [from, spentFrom, at] = [await eventsOf(loads), micros(pids), performance.now()]
  await sleep(turn.windowMs)
  const [to, spentTo, ended] = [await eventsOf(loads), micros(pids), performance.now()]
  for (const load of loads) await load.stop()
  const events = Math.max(1, to - from)
  return {
    label: `${gateways.length} gateways`,
    figures: [
      figure('events/s', events / ((ended - at) / 1_000), ''),
      ...perEvent('CPU/event', spentTo - spentFrom, events),
    ],
  }
}

async function eventsOf(loads: readonly Load[]): Promise<number> {
  const marks = await Promise.all(loads.map((load) => load.mark()))
  return marks.reduce((sum, { events }) => sum + events, 0)
}
