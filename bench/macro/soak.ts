import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from '../harness/load.ts'
import { startLoad } from '../harness/load.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure, median, quantile } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { openBooks, worthOf } from './books.ts'
import type { Changes } from './soak/changes.ts'
import { openChanges } from './soak/changes.ts'
import { patience } from './soak/patience.ts'
import { openSink } from './soak/sink.ts'
import { grownAmong } from './soak/tables.ts'
import { mebibyte, ownBytes } from './watching.ts'

const [rate, batch, windows] = [1_000, 10, 6]
/** The pause between two rounds of changes. */
const pauseMs = 500
/** How much more than the second window a later one may take, in time and in memory. */
const growth = { latency: 2, latencyMs: 10, memory: 1.5, memoryBytes: 64 * mebibyte }

/**
 * Runs a server under a modest load and every kind of change, for `minutes`. Memory, latencies, and
 * tables that do not hold what was sent must be in the last window as in the second, when
 * everything is warm. Throws where any of these has grown, or where the credits that are used are
 * not what the events are worth.
 */
export async function benchSoak(run: Run, minutes: number): Promise<Result> {
  const site = await openSite(run)
  const sink = await openSink()
  const books = await openBooks(site)
  const used = await books.used()
  const { call, refused } = patience(site)
  const changes = await openChanges({ ...site, call }, sink.url)
  const load = await startSoak(site, minutes)
  const seen: Window[] = []
  for (let each = 0; each < windows; each += 1) {
    const window = await watchWindow({ site, load, changes, books }, (minutes * 60_000) / windows)
    seen.push(window)
    process.stderr.write(`${each + 1} of ${windows}: ${progressOf(window)}\n`)
  }
  const last = await load.stop()
  while (!(await books.progress()).settled) await sleep(200)
  const billed = (await books.used()) - used
  if (billed !== worthOf(last.usage)) {
    throw new Error(`Of ${worthOf(last.usage)} thousandths ${billed} are billed.`)
  }
  await books.close()
  await site.stop()
  await sink.close()
  if (run.name !== 'smoke') refuseGrowth(seen)
  refuseRefusals(seen, refused())
  return {
    name: 'soak',
    lines: [...linesOf(seen, sink.taken()), refusedLine(refused())],
    goals: [],
    checksum: '',
  }
}

function progressOf({ memoryBytes, calls }: Window): string {
  const slowest = [...calls].map(([name, times]) => [name, Math.round(median(times))] as const)
  const three = slowest.toSorted(([, a], [, b]) => b - a).slice(0, 3)
  return [
    `${Math.round(memoryBytes / mebibyte)} MiB`,
    `${calls.get('ingest')?.length} rounds`,
    ...three.map(([name, ms]) => `${name} ${ms} ms`),
  ].join(', ')
}

function startSoak(site: Site, minutes: number): Promise<Load> {
  const workload = site.workload('s', batch)
  // As late as allowed: the bodies are made once, and are accepted until an hour after this
  // timestamp.
  const timestamp = new Date(Date.parse(workload.timestamp) + 4 * 60_000).toISOString()
  return startLoad({
    workload: { ...workload, timestamp },
    url: site.url,
    apiKey: site.apiKey,
    connections: 8,
    eventsMax: 2 ** 31,
    rate,
    deadlineMs: minutes * 60_000 + 120_000,
  })
}

interface Window {
  readonly minutes: number
  readonly events: number
  readonly ingest: { readonly p50Ms: number; readonly p99Ms: number }
  /** The calls of each kind, in milliseconds. */
  readonly calls: ReadonlyMap<string, readonly number[]>
  readonly memoryBytes: number
  /** The bytes of each table with its indexes, at the end. */
  readonly tables: ReadonlyMap<string, number>
}

interface Ground {
  readonly site: Site
  readonly load: Load
  readonly changes: Changes
  readonly books: Awaited<ReturnType<typeof openBooks>>
}

async function watchWindow(
  { books, changes, load, site }: Ground,
  lastsMs: number,
): Promise<Window> {
  const calls = new Map(changes.calls.map(([name]) => [name, [] as number[]]))
  const memory: number[] = []
  const begun = await load.mark()
  const until = performance.now() + lastsMs
  do {
    for (const [name, call] of changes.calls) {
      const at = performance.now()
      await call()
      calls.get(name)?.push(performance.now() - at)
    }
    memory.push(ownBytes(site.pid))
    await sleep(Math.max(0, Math.min(pauseMs, until - performance.now())))
  } while (performance.now() < until)
  const ended = await load.mark()
  return {
    minutes: lastsMs / 60_000,
    events: ended.events - begun.events,
    ingest: ended,
    calls,
    memoryBytes: memory.reduce((most, one) => Math.max(most, one), 0),
    tables: await books.tables(),
  }
}

/** Now and then a call is told to come again; one in a hundred would be too many. */
function refuseRefusals(seen: readonly Window[], refused: number): void {
  const calls = seen.flatMap((each) => [...each.calls.values()]).flat().length
  if (refused > 5 + calls / 100) throw new Error(`Of ${calls} calls ${refused} were refused.`)
}

/** It walks the events of its cycle, 2 000 blocks at most, and the cycle has only begun. */
const youngerThanItsCycle = 'explanation'

/** The first window warms up; the last one is compared with the second. */
function refuseGrowth(seen: readonly Window[]): void {
  const [, early] = seen
  const late = seen.at(-1)
  if (early === undefined || late === undefined) return
  if (late.memoryBytes > early.memoryBytes * growth.memory + growth.memoryBytes) {
    const each = seen.map(({ memoryBytes }) => Math.round(memoryBytes / mebibyte))
    throw new Error(`Memory grows, in MiB, window by window: ${each.join(', ')}.`)
  }
  const grown = grownAmong(early.tables, late.tables)
  if (grown.length > 0) throw new Error(`Nothing ends these tables: ${grown.join(', ')}.`)
  for (const [name, times] of late.calls) {
    if (name === youngerThanItsCycle) continue
    const [before, now] = [median(early.calls.get(name) ?? []), median(times)]
    if (now <= before * growth.latency + growth.latencyMs) continue
    throw new Error(`${name} gets slower: ${before} ms, then ${now} ms.`)
  }
}

const refusedLine = (refused: number): Line => ({
  label: 'told to come again',
  figures: [figure('calls', refused, '')],
})

function linesOf(seen: readonly Window[], webhooks: number): readonly Line[] {
  const late = seen.at(-1)
  const names = [...(late?.calls.keys() ?? [])]
  return [
    ...seen.map((each, index) => ({
      label: `window ${index + 1}`,
      figures: [
        figure('events/s', each.events / (each.minutes * 60), ''),
        figure('ingest p50', each.ingest.p50Ms, 'ms'),
        figure('p99', each.ingest.p99Ms, 'ms'),
        figure('memory', each.memoryBytes / mebibyte, 'MiB'),
      ],
    })),
    ...names.map((name) => ({
      label: name,
      figures: [
        ...seen.map((each, index) =>
          figure(`p50, ${index + 1}`, median(each.calls.get(name) ?? []), 'ms'),
        ),
        figure('p99, last', quantile(late?.calls.get(name) ?? [], 0.99), 'ms'),
      ],
    })),
    ...[...(late?.tables ?? [])].map(([table, bytes]) => ({
      label: table,
      figures: [
        ...seen.map((each, index) =>
          figure(`MiB, ${index + 1}`, (each.tables.get(table) ?? 0) / mebibyte, ''),
        ),
        figure('of all', bytes / mebibyte, 'MiB'),
      ],
    })),
    { label: 'webhooks', figures: [figure('taken', webhooks, '')] },
  ]
}
