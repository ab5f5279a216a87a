import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSince, cpuTime } from '../harness/cpu.ts'
import { startLoad } from '../harness/load.ts'
import type { Figure, Goal, Line, Result } from '../harness/result.ts'
import { figure, median } from '../harness/result.ts'
import { openSite } from '../harness/site.ts'
import type { Run, Size } from '../harness/sizes.ts'
import type { Workload } from '../harness/workload.ts'
import { startParseServer } from './parse-only.ts'

/** A server that takes `POST /events/ingest`. */
interface Target {
  readonly name: 'parse' | 'edge'
  readonly pid: number
  readonly url: string
  readonly apiKey: string
  workload(name: string, batch: number): Workload
}

/** One turn of one cell. */
interface Turn {
  readonly eventsPerSecond: number
  /** Null where the system does not tell. */
  readonly cpuMicros: number | null
  readonly p50Ms: number
  readonly p99Ms: number
}

const shapes = [
  { batch: 100, connections: 16 },
  { batch: 1, connections: 128 },
] as const

/**
 * What it costs to accept an event durably, over what it costs to read, parse and validate it. Both
 * servers take turns under the same load, so that a slow minute of the machine hits both.
 */
export async function benchIngest(run: Run, withEdge: boolean): Promise<readonly Result[]> {
  // Nobody measures meanwhile: what is left is the edge and its log.
  const site = await openSite({ ...run, roles: 'http' })
  const parse = await startParseServer()
  const { apiKey, workload } = site
  const targets: Target[] = [{ name: 'parse', pid: parse.pid, url: parse.url, apiKey, workload }]
  if (withEdge) targets.push({ name: 'edge', pid: site.pid, url: site.url, apiKey, workload })
  const turns = new Map<string, Turn[]>()
  for (let round = 0; round < run.rounds; round += 1) {
    for (const { batch, connections } of shapes) {
      for (const target of targets) {
        const name = `${target.name} ${batch}`
        const load = { batch, connections, idPrefix: `${name}x${round}`.replace(' ', 'x') }
        turns.set(name, [...(turns.get(name) ?? []), await turnOf(target, run, load)])
      }
    }
  }
  parse.stop()
  await site.stop()
  return targets.map(({ name }) => resultOf(name, turns))
}

interface TurnLoad {
  readonly batch: number
  readonly connections: number
  readonly idPrefix: string
}

async function turnOf(target: Target, size: Size, load: TurnLoad): Promise<Turn> {
  const { apiKey, pid, url } = target
  const running = await startLoad({
    workload: target.workload(load.idPrefix, load.batch),
    url,
    apiKey,
    connections: load.connections,
    eventsMax: size.eventsMax,
    rate: null,
    deadlineMs: size.warmMs + size.windowMs + 10_000,
  })
  await sleep(size.warmMs)
  const [from, cpuFrom] = [await running.mark(), cpuTime(pid)]
  await Promise.race([sleep(size.windowMs), running.done])
  const [to, cpuTo] = [await running.mark(), cpuTime(pid)]
  await running.stop()
  const events = to.events - from.events
  const cpu = cpuSince(cpuFrom, cpuTo)
  return {
    eventsPerSecond: events / ((to.at - from.at) / 1_000),
    cpuMicros: cpu === null ? null : cpu.own / events,
    p50Ms: to.p50Ms,
    p99Ms: to.p99Ms,
  }
}

function resultOf(name: Target['name'], turns: ReadonlyMap<string, readonly Turn[]>): Result {
  const lines = shapes.map(({ batch }): Line => {
    const own = turns.get(`${name} ${batch}`) ?? []
    const ratio = name === 'edge' ? ratioOf(turns, batch) : null
    const over: Figure[] = ratio === null ? [] : [figure('over parse', ratio, '×')]
    return { label: `${name}, batch ${batch}`, figures: [...figuresOf(own), ...over] }
  })
  const [first] = shapes
  const ratio = name === 'edge' ? ratioOf(turns, first.batch) : null
  const goals: Goal[] =
    ratio === null
      ? []
      : [{ name: 'edge over parse', value: ratio, unit: '×', target: 0.35, better: 'more' }]
  return { name, lines, goals, checksum: '' }
}

function figuresOf(turns: readonly Turn[]): readonly Figure[] {
  const of = (read: (turn: Turn) => number): number => median(turns.map(read))
  const cpu = turns.flatMap(({ cpuMicros }) => cpuMicros ?? [])
  return [
    figure(
      'events/s',
      of((turn) => turn.eventsPerSecond),
      '',
    ),
    ...(cpu.length === 0 ? [] : [figure('CPU/event', median(cpu), 'µs')]),
    figure(
      'p50',
      of((turn) => turn.p50Ms),
      'ms',
    ),
    figure(
      'p99',
      of((turn) => turn.p99Ms),
      'ms',
    ),
  ]
}

/** By CPU, turn by turn; 1 would mean that being durable is free. */
function ratioOf(turns: ReadonlyMap<string, readonly Turn[]>, batch: number): number | null {
  const parse = turns.get(`parse ${batch}`) ?? []
  const edge = turns.get(`edge ${batch}`) ?? []
  const ratios = edge.flatMap(({ cpuMicros }, round) => {
    const base = parse[round]?.cpuMicros ?? null
    return cpuMicros === null || base === null ? [] : [base / cpuMicros]
  })
  return ratios.length === 0 ? null : median(ratios)
}
