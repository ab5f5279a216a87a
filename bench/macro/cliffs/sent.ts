import type { Line } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import type { Cells } from './cells.ts'
import { lineForEach } from './cells.ts'
import { measured } from './measure.ts'

type Lines = Promise<readonly Line[]>

/** How many requests of so many events are on their way at once. */
const connectionsFor = (batch: number): number => (batch >= 1_000 ? 4 : batch >= 100 ? 16 : 128)

export const byBatch = (cells: Cells, site: Site, sizes: readonly number[]): Lines =>
  lineForEach(sizes, (batch) =>
    cells.cell(site, `${batch} events a request`, {
      workload: cells.workload(site, batch),
      connections: connectionsFor(batch),
    }),
  )

export const byConnections = (cells: Cells, site: Site, counts: readonly number[]): Lines =>
  lineForEach(counts, (connections) =>
    cells.cell(site, `${connections} connections`, {
      workload: cells.workload(site, 10),
      connections,
    }),
  )

/** Ids that dedupe knows already, of events that were sent before. */
export function byIds(cells: Cells, site: Site, counts: readonly number[]): Lines {
  let known = 0
  return lineForEach(counts, async (count) => {
    const rest = Math.floor((count - known) / 1_000) * 1_000
    if (rest > 0) {
      const fill = { connections: 4, eventsMax: rest, forMs: 600_000 }
      await measured(site, 'fill', { ...fill, workload: cells.workload(site, 1_000) })
    }
    const shape = { workload: cells.workload(site, 100), connections: 16 }
    const line = await cells.cell(site, `${count} ids in the window`, shape)
    known = count + (line.figures[0]?.value ?? 0)
    return line
  })
}

/** Meters of names of their own: no credits are worth their usage. */
export const byMeters = (cells: Cells, site: Site, counts: readonly number[]): Lines =>
  lineForEach(counts, async (count) => {
    const eventName = `name.with.${count}`
    for (let number = 1; number <= count; number += 1) {
      const aggregation = { type: 'sum', key: 'tokens' }
      const body = { name: `${eventName} ${number}`, event_name: eventName, aggregation }
      await site.call('POST', '/meters', { body: { ...body, measurement_unit: 'token' } })
    }
    const workload = { ...cells.workload(site, 100), eventName }
    return cells.cell(site, `${count} meters of the name`, { workload, connections: 16 })
  })
