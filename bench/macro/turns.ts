import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSince, cpuTime } from '../harness/cpu.ts'
import type { Load } from '../harness/load.ts'
import { startLoad } from '../harness/load.ts'
import type { LoadMark } from '../harness/load-protocol.ts'
import type { Figure } from '../harness/result.ts'
import { figure, median } from '../harness/result.ts'
import type { Size } from '../harness/sizes.ts'
import type { Workload } from '../harness/workload.ts'

/** A server that takes `POST /events/ingest`. */
export interface Target {
  readonly name: string
  readonly pid: number
  readonly url: string
  readonly apiKey: string
  workload(name: string, batch: number): Workload
}

/** How many events a request holds, and how many requests are on their way at once. */
export interface Shape {
  readonly batch: number
  readonly connections: number
}

export const shapes = [
  { batch: 100, connections: 16 },
  { batch: 1, connections: 128 },
] as const satisfies readonly Shape[]

/** One turn of one cell. */
export interface Turn {
  readonly eventsPerSecond: number
  /** Null where the system does not tell. */
  readonly cpuMicros: number | null
  readonly p50Ms: number
  readonly p99Ms: number
}

/** The turns of each target at each shape, in order. */
export interface Turns {
  of(target: string, batch: number): readonly Turn[]
}

export interface TurnOptions {
  readonly size: Size
  readonly shapes: readonly Shape[]
  /** Makes the ids differ from those of other turns. */
  readonly name: string
}

/**
 * The targets take turns under the same load, so that a slow minute of the machine hits all of
 * them. Another one begins in each round.
 */
export async function takeTurns(
  targets: readonly Target[],
  { name: run, shapes, size }: TurnOptions,
): Promise<Turns> {
  const turns = new Map<string, Turn[]>()
  const cell = (target: string, batch: number): string => `${target} ${batch}`
  for (let round = 0; round < size.rounds; round += 1) {
    const first = round % targets.length
    const inTurn = [...targets.slice(first), ...targets.slice(0, first)]
    for (const shape of shapes) {
      for (const target of inTurn) {
        const name = cell(target.name, shape.batch)
        const load = { ...shape, idPrefix: `${run}${round}x${name}`.replace(' ', 'x') }
        turns.set(name, [...(turns.get(name) ?? []), await turnOf(target, size, load)])
      }
    }
  }
  return { of: (target, batch) => turns.get(cell(target, batch)) ?? [] }
}

interface Loaded extends Shape {
  readonly idPrefix: string
  /** Events a second, whether or not earlier ones are answered; absent: as many as can be. */
  readonly rate?: number
}

/** One turn of one target. */
export async function turnOf(
  target: Target,
  size: Size,
  { batch, connections, idPrefix, rate }: Loaded,
): Promise<Turn> {
  const { apiKey, pid, url } = target
  const running = await startLoad({
    workload: target.workload(idPrefix, batch),
    url,
    apiKey,
    connections,
    eventsMax: size.eventsMax,
    rate: rate ?? null,
    deadlineMs: size.warmMs + size.windowMs + 10_000,
  })
  await sleep(size.warmMs)
  const [from, cpuFrom] = [await markBeyond(running, 0), cpuTime(pid)]
  await Promise.race([sleep(size.windowMs), running.done])
  const [to, cpuTo] = [await markBeyond(running, from.events), cpuTime(pid)]
  await running.stop()
  const events = to.events - from.events
  const cpu = cpuSince(cpuFrom, cpuTo)
  return {
    eventsPerSecond: events / ((to.at - from.at) / 1_000),
    // Nothing is shorter than a tick of the kernel's.
    cpuMicros: cpu === null || cpu.own === 0 ? null : cpu.own / events,
    p50Ms: to.p50Ms,
    p99Ms: to.p99Ms,
  }
}

const patienceMs = 10_000

/** A window without an answer says nothing, so small runs wait for their first event. */
async function markBeyond(load: Load, events: number): Promise<LoadMark> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const mark = await load.mark()
    if (mark.events > events) return mark
    if (performance.now() > deadline) throw new Error('The server takes no events.')
    await sleep(50)
  }
}

/** The medians of some turns. */
export function figuresOf(turns: readonly Turn[]): readonly Figure[] {
  const of = (name: string, read: (turn: Turn) => number, unit: string): Figure =>
    figure(name, median(turns.map(read)), unit)
  const cpu = turns.flatMap(({ cpuMicros }) => cpuMicros ?? [])
  return [
    of('events/s', ({ eventsPerSecond }) => eventsPerSecond, ''),
    ...(cpu.length === 0 ? [] : [figure('CPU/event', median(cpu), 'µs')]),
    of('p50', ({ p50Ms }) => p50Ms, 'ms'),
    of('p99', ({ p99Ms }) => p99Ms, 'ms'),
  ]
}

/** How many times `one` costs what `other` does, by CPU per event, turn by turn. */
export function timesOf(one: readonly Turn[], other: readonly Turn[]): number | null {
  const ratios = other.flatMap(({ cpuMicros }, round) => {
    const base = one[round]?.cpuMicros ?? null
    return cpuMicros === null || base === null ? [] : [base / cpuMicros]
  })
  return ratios.length === 0 ? null : median(ratios)
}
