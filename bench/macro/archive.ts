import { after, day, instantOf } from '../../src/std/instant.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { scratchDirectory, startServer } from '../harness/server.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import type { Written } from './archive/fill.ts'
import { fill } from './archive/fill.ts'
import { benchLag } from './archive/lag.ts'
import { benchReads } from './archive/reads.ts'
import type { Kept } from './archive/sizes.ts'
import { keptBy } from './archive/sizes.ts'
import type { Stream } from './archive/stream.ts'

const daysFilled = 5

/**
 * Fills a data directory with the events of five days, through the archive's own writing code,
 * serves it, and reads events back. Then measures, in the same run, how far the archive trails
 * under load.
 */
export async function benchArchive(run: Run): Promise<readonly Result[]> {
  const scratch = scratchDirectory()
  const first = await startServer({ dataDir: scratch.path })
  const [apiKey, businessId] = [first.ready['api_key'] ?? '', first.ready['business_id'] ?? '']
  await first.stop()
  const to = instantOf(Math.floor((performance.timeOrigin + performance.now()) * 1_000))
  const stream: Stream = {
    owner: { businessId, mode: 'test' },
    events: run.archivedEvents,
    customers: run.customers,
    from: after(to, -daysFilled * day),
    to,
  }
  const written = await fill({ dataDir: scratch.path, stream })
  const server = await startServer({ dataDir: scratch.path })
  const url = server.ready['test_url'] ?? ''
  const kept = await keptBy(scratch.path)
  const reads = await benchReads({ url, apiKey, stream, count: run.archiveReads })
  await server.stop()
  scratch.remove()
  const index = (kept.ids + kept.listing + kept.trees) / kept.events
  const target = { name: 'archive: index', value: index, unit: 'B an event', target: 2 }
  const results: Result = {
    name: 'archive',
    lines: [writtenLine(written), keptLine(kept), ...reads.lines],
    goals: [{ ...target, better: 'less' }, ...reads.goals],
    checksum: `${kept.events} events`,
  }
  const site = await openSite(run)
  const lag = await benchLag(site, run)
  await site.stop()
  return [results, lag]
}

function writtenLine({ events, ms, postgres, process }: Written): Line {
  return {
    label: 'written',
    figures: [
      figure('events', events, ''),
      figure('events/s', events / (ms / 1_000), ''),
      figure('CPU/event', process / events, 'µs'),
      figure('PostgreSQL/event', postgres / events, 'µs'),
    ],
  }
}

function keptLine({ blocks, bodies, events, ids, listing, trees }: Kept): Line {
  return {
    label: 'kept, bytes an event',
    figures: [
      figure('blocks', blocks, ''),
      figure('events', bodies / events, 'B'),
      figure('ids', ids / events, 'B'),
      figure('listing', listing / events, 'B'),
      figure('trees', trees / events, 'B'),
    ],
  }
}
