import { setTimeout as sleep } from 'node:timers/promises'
import { startParts } from '../harness/parts.ts'
import type { Figure, Goal, Line, Result } from '../harness/result.ts'
import { figure, median } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { latenciesOf } from './at-rate.ts'
import { benchEndToEnd, measureFew } from './end-to-end.ts'
import { startIdleServer } from './idle-servers.ts'
import type { Peers } from './peers.ts'
import { startPeers } from './peers.ts'
import type { Target, Turns } from './turns.ts'
import { figuresOf, shapes, takeTurns, timesOf } from './turns.ts'

/** Which of the two comparisons are wanted. */
export interface Wanted {
  readonly edge: boolean
  readonly endToEnd: boolean
}

/**
 * Measures our server on Kafka, Redis and PostgreSQL, and `usual` and `tuned` on the same Kafka and
 * the same Redis in the same run. Services that are not being measured wait idle.
 */
export async function benchDistributed(run: Run, wanted: Wanted): Promise<readonly Result[]> {
  const parts = await startParts(run)
  const whole = await openSite({ ...run, parts })
  const peers = await startPeers(parts, whole)
  const results: Result[] = []
  if (wanted.endToEnd) results.push(await endToEnd(whole, peers, run))
  else await measureFew(whole, run)
  const site = await whole.restarted('http')
  if (wanted.edge) {
    await proveFilter(site)
    results.push(await edge(site, peers, run))
  }
  peers.stop()
  await site.stop()
  await parts.stop()
  return results
}

const batches = shapes[0]

/**
 * The cost from accepted to settled, compared with the peers' merely accepting; these are measured
 * before and after.
 */
async function endToEnd(site: Site, { targets }: Peers, run: Run): Promise<Result> {
  const accepting = { shapes: [batches], size: { ...run, rounds: Math.ceil(run.rounds / 2) } }
  // The peers' compilers, too, must have seen the workload before anything counts.
  await takeTurns(targets, { ...accepting, name: 'first' })
  const before = await takeTurns(targets, { ...accepting, name: 'before' })
  const { eventsPerSecond, result } = await benchEndToEnd(site, run)
  const embedded = await onEmbedded(run)
  const after = await takeTurns(targets, { ...accepting, name: 'after' })
  const both = (name: string) => [before, after].flatMap((turns) => turns.of(name, batches.batch))
  const acceptedBy = (name: string): number =>
    median(both(name).map((turn) => turn.eventsPerSecond))
  const overOf = (name: string): number => eventsPerSecond / acceptedBy(name)
  const lines = targets.map(
    ({ name }): Line => ({
      label: `${name}, merely accepted`,
      figures: [...figuresOf(both(name)), figure('settled/s over it', overOf(name), '×')],
    }),
  )
  const goal = (where: string, value: number, target: number): Goal => ({
    name: `settled/s over what usual merely accepts, ${where}`,
    value,
    unit: '×',
    target,
    better: 'more',
  })
  return {
    ...result,
    name: 'distributed-end-to-end',
    lines: [...result.lines, embedded.line, ...lines],
    goals: [
      goal('distributed', overOf('usual'), 2),
      goal('embedded', embedded.eventsPerSecond / acceptedBy('usual'), 3),
    ],
  }
}

/** The same on embedded parts, while those of the others wait. */
async function onEmbedded(run: Run) {
  const site = await openSite(run)
  const { eventsPerSecond, result } = await benchEndToEnd(site, run)
  await site.stop()
  const figures = result.lines.flatMap((line) => line.figures)
  return { eventsPerSecond, line: { label: 'accepted → settled, embedded parts', figures } }
}

/** Nothing measures meanwhile, so what is left is the edge: filtering and appending. */
async function edge(site: Site, peers: Peers, run: Run): Promise<Result> {
  const { apiKey, pid, url, workload } = site
  const own: Target = { name: 'sluice', pid, url, apiKey, workload }
  const targets = [...peers.targets, own]
  // The HTTP engine alone: no service on it can cost less.
  const bare = await startIdleServer('bare')
  const all = [...targets, { ...bare, name: 'bare', apiKey, workload }]
  const turns = await takeTurns(all, { size: run, shapes, name: 'edge' })
  bare.stop()
  const lines = shapes.flatMap(({ batch }) =>
    all.map(
      ({ name }): Line => ({
        label: `${name}, batch ${batch}`,
        figures: [...figuresOf(turns.of(name, batch)), ...overOf(turns, name, batch)],
      }),
    ),
  )
  const goals = wishes.flatMap((wish) => goalOf(wish, turns))
  const atRate = await latenciesOf(targets, turns, run)
  const late = shapes.flatMap(({ batch }) =>
    targets.map(
      ({ name }): Line => ({
        label: `${name}, batch ${batch}, at a rate`,
        figures: atRate.of(name, batch),
      }),
    ),
  )
  const told = [...lines, await unasked(site), ...late]
  return { name: 'distributed-edge', lines: told, goals, checksum: '' }
}

/**
 * Ids that the edge let through because Redis did not answer in time: they cost nothing at Redis.
 */
async function unasked({ opsUrl }: Site): Promise<Line> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  const total = (name: string): number =>
    [...text.matchAll(new RegExp(`^sluice_${name}(?:{[^}]*})? (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
  const share = total('ingest_filter_skipped_total') / total('ingest_events_total')
  return {
    label: 'sluice, Redis too late to be asked',
    figures: [figure('of all ids', share * 100, '%')],
  }
}

/** By CPU an event. */
function overOf(turns: Turns, name: string, batch: number): readonly Figure[] {
  const ratio = timesOf(turns.of('usual', batch), turns.of(name, batch))
  return ratio === null ? [] : [figure('usual over it', ratio, '×')]
}

interface Wish {
  readonly peer: string
  readonly batch: number
  readonly target: number
}

// [bench/README.md#what-is-measured]
const wishes: readonly Wish[] = [
  { peer: 'usual', batch: 100, target: 8 },
  { peer: 'tuned', batch: 100, target: 2.5 },
  { peer: 'usual', batch: 1, target: 4 },
  { peer: 'tuned', batch: 1, target: 3 },
]

function goalOf({ batch, peer, target }: Wish, turns: Turns): readonly Goal[] {
  const value = timesOf(turns.of(peer, batch), turns.of('sluice', batch))
  const name = `${peer} over the edge, batch ${batch}`
  return value === null ? [] : [{ name, value, unit: '×', target, better: 'more' }]
}

const patienceMs = 30_000

/**
 * An edge that does not ask Redis would be cheap, so this shows that it drops what was measured
 * before.
 */
async function proveFilter(site: Site): Promise<void> {
  const [customer_id = ''] = site.customers
  const { eventName, idPrefix } = site.workload(measuredBefore, 1)
  const event = { event_id: `${idPrefix}00000000`, customer_id, event_name: eventName }
  const deadline = performance.now() + patienceMs
  for (;;) {
    const options = { body: { events: [event] } }
    const { body } = await site.call<{ ingested_count: number }>('POST', '/events/ingest', options)
    if (body.ingested_count === 0) return
    if (performance.now() > deadline) throw new Error('The edge does not filter what it knows.')
    await sleep(100)
  }
}

const measuredBefore = 'w'
