import type { Line, Result } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { openCells } from './cliffs/cells.ts'
import { byCrowds } from './cliffs/crowds.ts'
import { byIdle } from './cliffs/idle.ts'
import { byBatch, byConnections, byIds, byMeters } from './cliffs/sent.ts'

/** How far each axis goes. */
interface Axes {
  readonly batches: readonly number[]
  readonly connections: readonly number[]
  readonly idle: readonly number[]
  readonly meters: readonly number[]
  readonly ids: readonly number[]
  readonly customers: readonly number[]
  readonly accounts: readonly number[]
}

const million = 1_000_000
const axesOf = {
  smoke: {
    batches: [1, 100],
    connections: [1, 16],
    idle: [100],
    meters: [1, 10],
    ids: [0, 2_000],
    customers: [1, 100],
    accounts: [0, 1_000],
  },
  quick: {
    batches: [1, 7, 100, 1_000],
    connections: [1, 16, 128, 1_000],
    idle: [1_000],
    meters: [1, 10, 50],
    ids: [0, million],
    customers: [1, 100, 10_000],
    accounts: [0, 10_000],
  },
  full: {
    batches: [1, 7, 100, 1_000],
    connections: [1, 16, 128, 1_000, 10_000],
    idle: [10_000],
    meters: [1, 3, 10, 50],
    ids: [0, million, 10 * million],
    customers: [1, 100, 10_000, million],
    accounts: [0, 10_000, million],
  },
} as const satisfies Record<Run['name'], Axes>

/** For how long each cell is loaded. */
const loadedMs = { smoke: 60, quick: 2_000, full: 4_000 } as const

/**
 * What an event costs from accepted to settled as one thing grows and all else stays: a cost cliff
 * would show as a step. A server has a pair of axes, since each leaves something behind.
 */
export async function benchCliffs(run: Run): Promise<readonly Result[]> {
  const axes = axesOf[run.name]
  const cells = openCells(loadedMs[run.name])
  const sent = await onSite(run, async (site) => ({
    idle: await byIdle(site, axes.idle),
    axes: {
      batch: await byBatch(cells, site, axes.batches),
      connections: await byConnections(cells, site, axes.connections),
    },
  }))
  const kept = await onSite(run, async (site) => ({
    ids: await byIds(cells, site, axes.ids),
    meters: await byMeters(cells, site, axes.meters),
  }))
  const crowds = await byCrowds(cells, await openSite(run), axes)
  const drawn = Object.entries({ ...sent.axes, ...kept, ...crowds })
  return [
    ...drawn.map(([name, lines]) => resultOf(`cliffs: ${name}`, lines)),
    resultOf('idle connections', sent.idle),
  ]
}

const resultOf = (name: string, lines: readonly Line[]): Result => ({
  name,
  lines,
  goals: [],
  checksum: '',
})

async function onSite<T>(run: Run, work: (site: Site) => Promise<T>): Promise<T> {
  const site = await openSite(run)
  const answer = await work(site)
  await site.stop()
  return answer
}
