import type { Result } from '../harness/result.ts'
import type { Run } from '../harness/sizes.ts'
import { byEngines } from './cores/engines.ts'
import { byGateways } from './cores/gateways.ts'
import { byPartitions } from './cores/partitions.ts'

/** How far each axis goes, and how many events each line of the engines and of partitions takes. */
const axesOf = {
  smoke: { gateways: [1, 2], engines: [1], partitions: [3], events: 2_000 },
  quick: { gateways: [1, 2, 4], engines: [1, 2, 4], partitions: [1, 4, 16, 32], events: 300_000 },
  full: {
    gateways: [1, 2, 4, 8],
    engines: [1, 2, 4],
    partitions: [1, 4, 16, 32],
    events: 1_000_000,
  },
} as const satisfies Record<Run['name'], object>

/**
 * What an event costs as the work spreads over more processes, on Kafka, Redis and PostgreSQL:
 * where that stays the same, a machine with more cores does more. On two cores only the cost shows
 * it, since the rate cannot rise.
 */
export async function benchCores(run: Run): Promise<readonly Result[]> {
  const { engines, events, gateways, partitions } = axesOf[run.name]
  const results = [
    ['gateways', await byGateways(run, gateways)],
    ['engines', await byEngines(run, { counts: engines, events })],
    ['partitions', await byPartitions(run, { counts: partitions, events })],
  ] as const
  return results.map(([name, lines]) => ({
    name: `cores: ${name}`,
    lines,
    goals: [],
    checksum: '',
  }))
}
