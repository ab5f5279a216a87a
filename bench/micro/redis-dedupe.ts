import assert from 'node:assert/strict'
import type { Dedupe, DedupeFilter, Fingerprints } from '../../src/parts/dedupe/port.ts'
import { openRedisDedupe } from '../../src/parts/dedupe/redis/dedupe.ts'
import { openRedisFilter } from '../../src/parts/dedupe/redis/filter.ts'
import { parseRedisUrl } from '../../src/parts/redis-settings.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import { hour } from '../../src/std/instant.ts'
import type { TestRedis } from '../../test/support/servers/redis.ts'
import { redisMissing, startRedis } from '../../test/support/servers/redis.ts'
import { seed, seeded } from '../harness/random.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { infoOf, redisMicros } from './redis-info.ts'
import type { MicroSize } from './run.ts'
import { asChild } from './run.ts'

const name = 'micro: redis-dedupe'
const partitions = 16
const namespace = 'namespace123'

/**
 * Goals: at most 1 µs of our CPU per id and pass, and 12 bytes per id in Redis, with three full
 * generations. Starts a real Redis, which reports its own CPU.
 */
export async function benchRedisDedupe(size: MicroSize): Promise<Result> {
  if (redisMissing !== null) {
    const label = `skipped, for want of ${redisMissing}`
    return { name, lines: [{ label, figures: [] }], goals: [], checksum: '' }
  }
  const server = await startRedis()
  try {
    return await benchOn(server, size === 'full' ? 1_008_000 : 3_000)
  } finally {
    await server.stop()
  }
}

interface Bench {
  readonly server: TestRedis
  readonly dedupe: Dedupe
  readonly filter: DedupeFilter
  /** Ids that are known in the end, and as many that are not. */
  readonly ids: Fingerprints
  readonly others: Fingerprints
}

async function benchOn(server: TestRedis, count: number): Promise<Result> {
  const redis = parseRedisUrl(server.url)
  assert(redis !== null)
  const logger = openLogger({ level: 'warn', part: 'bench' })
  let skipped = 0
  const shared = { redis, installation: 'bench', logger }
  const dedupe = await openRedisDedupe({ ...shared, partitions, windowUs: 24 * hour })
  const filter = await openRedisFilter({
    ...shared,
    skipped: (ids) => {
      skipped += ids
    },
  })
  const random = seeded(seed)
  const words = Uint32Array.from({ length: count * 6 }, () => random() * 4_294_967_296)
  const ids = words.subarray(0, count * 3)
  const bench = { server, dedupe, filter, ids, others: words.subarray(count * 3) }
  for (let partition = 0; partition < partitions; partition += 1) {
    await dedupe.reset(partition, namespace, 0)
  }
  const before = await infoOf(server, 'memory', 'used_memory')
  const lines: Line[] = [await line(bench, 'mark', { count, run: () => markAll(bench) })]
  const perId = ((await infoOf(server, 'memory', 'used_memory')) - before) / count
  let found = 0
  for (const [label, asked] of Object.entries({ known: ids, unknown: bench.others })) {
    const run = async () => {
      found += await checkAll(bench, asked)
    }
    lines.push(await line(bench, `check, ${label}`, { count, run }))
  }
  const edge = Math.min(count, 100_000)
  for (const requests of [1, 16]) {
    const run = () => askAsEdge(bench, { count: edge, requests })
    // Once without counting, for the compilers.
    await run()
    lines.push(await line(bench, `filter, ${requests} × 100 at once`, { count: edge, run }))
  }
  lines.push({ label: 'memory', figures: [figure('an id', perId, 'bytes')] })
  // Another process may delay a call beyond its budget; the numbers are then of fewer ids.
  lines.push({ label: 'let through', figures: [figure('ids', skipped, '')] })
  const total = await dedupe.size()
  await filter.close()
  await dedupe.close()
  return { name, lines, goals: [], checksum: `${total} ids, ${found} found` }
}

/**
 * Marks runs of 2 000 ids of one partition, the partitions by turns; every third run lies half a
 * window later.
 */
async function markAll({ dedupe, ids }: Bench): Promise<void> {
  for (const { partition, start, from, end } of runsOf(ids)) {
    const ran = Math.floor((from * 3) / (ids.length / 3)) * 12 * hour
    const run = { start, end: start + 1, ran, ids: ids.subarray(from * 3, end * 3) }
    assert(await dedupe.mark(partition, namespace, run))
  }
}

async function checkAll({ dedupe, ids }: Bench, asked: Fingerprints): Promise<number> {
  const runs = runsOf(ids)
  const starts = new Map(runs.map(({ partition, start }) => [partition, start + 1]))
  let found = 0
  for (const { partition, from, end } of runs) {
    const some = asked.subarray(from * 3, end * 3)
    const answer = await dedupe.check(partition, namespace, starts.get(partition) ?? 0, some)
    assert(answer.kind === 'answer')
    found += answer.known.reduce((sum, one) => sum + one, 0)
  }
  return found
}

interface Asking {
  readonly count: number
  readonly requests: number
}

/** Sends requests of 100 ids over all partitions, some of them at once. */
async function askAsEdge({ filter, others }: Bench, { count, requests }: Asking): Promise<void> {
  for (let from = 0; from < count; from += requests * 100) {
    const asked: Promise<unknown>[] = []
    for (let request = 0; request < requests; request += 1) {
      for (let partition = 0; partition < partitions; partition += 1) {
        const at = from + request * 100 + Math.floor((partition * 100) / partitions)
        const end = from + request * 100 + Math.floor(((partition + 1) * 100) / partitions)
        asked.push(filter.known(partition, namespace, others.subarray(at * 3, end * 3)))
      }
    }
    await Promise.all(asked)
    // Lets a call that is late come to its end, as between requests.
    await new Promise((done) => setImmediate(done))
  }
}

function runsOf(ids: Fingerprints) {
  const length = Math.min(2_000, Math.ceil(ids.length / 3 / partitions / 3))
  return Array.from({ length: Math.ceil(ids.length / 3 / length) }, (_, index) => ({
    partition: index % partitions,
    start: Math.floor(index / partitions),
    from: index * length,
    end: Math.min((index + 1) * length, ids.length / 3),
  }))
}

async function line(
  { server }: Bench,
  label: string,
  work: { readonly count: number; readonly run: () => Promise<void> },
): Promise<Line> {
  const before = await redisMicros(server)
  const from = process.cpuUsage()
  await work.run()
  const { user, system } = process.cpuUsage(from)
  const redis = (await redisMicros(server)) - before
  return {
    label,
    figures: [
      figure('ours', ((user + system) * 1_000) / work.count, 'ns'),
      figure('of Redis', (redis * 1_000) / work.count, 'ns'),
    ],
  }
}

await asChild(import.meta.url, benchRedisDedupe)
