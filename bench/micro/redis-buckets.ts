import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { packIds, siftedOf } from '../../src/parts/dedupe/redis/id-packing.ts'
import { dedupeKeys } from '../../src/parts/dedupe/redis/keys.ts'
import { ask } from '../../src/parts/dedupe/redis/look.ts'
import { markScript, resetScript } from '../../src/parts/dedupe/redis/scripts.ts'
import type { RedisConnection, RedisScript } from '../../src/parts/redis.ts'
import { openRedis } from '../../src/parts/redis.ts'
import { parseRedisUrl } from '../../src/parts/redis-settings.ts'
import { openLogger } from '../../src/runtime/logger.ts'
import type { TestRedis } from '../../test/support/servers/redis.ts'
import { redisMissing, startRedis } from '../../test/support/servers/redis.ts'
import { seed, seeded } from '../harness/random.ts'
import type { Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { infoOf, redisMicros } from './redis-info.ts'
import type { MicroSize } from './run.ts'
import { asChild } from './run.ts'

const name = 'micro: redis-buckets'
const idsPerMark = 2_000
const half = 43_200_000_000
const namespace = 'n'
const filling = 'f'
const keys = dedupeKeys('bench', false)

/**
 * What splitting buckets as a generation grows (linear hashing) is worth, compared with fixed
 * numbers of buckets: one generation of one partition holds so many ids, and this measures its
 * memory, and what one more mark of 2 000 ids and a check of as many then cost Redis. `node
 * dist/bench/micro/redis-buckets.js large` also does it with ten million ids.
 */
export async function benchRedisBuckets(size: MicroSize): Promise<Result> {
  if (redisMissing !== null) {
    const label = `skipped, for want of ${redisMissing}`
    return { name, lines: [{ label, figures: [] }], goals: [], checksum: '' }
  }
  const counts = size === 'smoke' ? [20_000] : [100_000, 1_000_000]
  if (process.argv[2] === 'large') counts.push(10_000_000)
  const server = await startRedis()
  const redis = parseRedisUrl(server.url)
  assert(redis !== null)
  const logger = openLogger({ level: 'warn', part: 'bench' })
  const connection = openRedis({ settings: redis, logger, name: 'bench' })
  try {
    await connection.settled(5_000)
    const lines: Line[] = []
    let found = 0
    // A first run for Redis itself, whose first scripts cost extra memory.
    for (const variant of variantsFor(20_000)) await measure(server, connection, variant)
    for (const count of counts) {
      for (const variant of variantsFor(count)) {
        const measured = await measure(server, connection, variant)
        lines.push(measured.line)
        found += measured.found
      }
    }
    return { name, lines, goals: [], checksum: `${found} found` }
  } finally {
    connection.close()
    await server.stop()
  }
}

interface Variant {
  readonly label: string
  readonly count: number
  readonly script: RedisScript
  /** How many buckets a generation with `count` ids has. */
  readonly buckets: number
  /** With how many it began, which decides how many bytes of an id are stored. */
  readonly began: number
}

/** The generation before each of them had as many ids. */
function variantsFor(count: number): readonly Variant[] {
  const right = Math.max(256, Math.ceil(count / 320))
  const variant = (label: string, buckets: number): Variant => ({
    label: `${count} ids, ${label}`,
    count,
    script: fixed(buckets),
    buckets,
    began: buckets,
  })
  const began = Math.max(256, Math.floor(right / 2))
  return [
    { ...variant('linear hashing', right), script: markScript, began },
    variant('4 096 fixed', 4_096),
    variant('65 536 fixed', 65_536),
  ]
}

/** The script itself, except that a generation begins with so many buckets and none is split. */
function fixed(buckets: number): RedisScript {
  const begins = 'math.max(256, math.floor(last / 2))'
  const target = 'local target = 320'
  const { lua } = markScript
  assert(lua.includes(begins) && lua.includes(target), 'The script is another one by now.')
  return scriptOf(lua.replace(begins, String(buckets)).replace(target, 'local target = math.huge'))
}

const scriptOf = (lua: string): RedisScript => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
})

async function measure(server: TestRedis, connection: RedisConnection, variant: Variant) {
  const { count, label, script } = variant
  await server.cli('FLUSHALL', 'SYNC')
  const memory = await infoOf(server, 'memory', 'used_memory')
  await connection.run(resetScript, keys.of([0]), [namespace, 0, half, 0, filling])
  // The last ids are marked as measuring does it. Half of them fill the trays, which are empty
  // at first and cost little until then.
  const marks = Math.ceil(count / 8 / idsPerMark)
  const loaded = count - 2 * marks * idsPerMark
  await load(connection, variant, loaded)
  const next = idsFrom(seed)
  next(loaded)
  const mark = async (start: number) => {
    const { bytes } = packIds(next(idsPerMark), [idsPerMark])
    const place = [namespace, start, start + 1, half, 0, 0, 1, 1, bytes, siftedOf(bytes)]
    assert((await connection.run(script, keys.of([0]), place)) === 1)
  }
  for (let start = 0; start < marks; start += 1) await mark(start)
  const idle = await redisMicros(server)
  for (let start = marks; start < 2 * marks; start += 1) await mark(start)
  const marked = await redisMicros(server)
  const bytes = (await infoOf(server, 'memory', 'used_memory')) - memory
  const before = await redisMicros(server)
  const found =
    (await look(connection, idsFrom(seed))) + (await look(connection, idsFrom(seed + 1)))
  const asked = (await redisMicros(server)) - before
  const line: Line = {
    label,
    figures: [
      figure('an id', bytes / count, 'bytes'),
      figure('mark', ((marked - idle) * 1_000) / (marks * idsPerMark), 'ns'),
      figure('check', (asked * 1_000) / (looked * 2), 'ns'),
    ],
  }
  return { line, found }
}

/** Puts the first `count` ids where marks would put them, in a fraction of the time. */
async function load(connection: RedisConnection, variant: Variant, count: number): Promise<void> {
  const { began, buckets } = variant
  const form = began < 4_096 ? 1 : began < 65_536 ? 2 : 3
  const width = form === 1 ? 9 : 10
  const firstOf = placing(buckets)
  const counts = new Map<number, number>()
  const counting = idsFrom(seed)(count)
  for (let at = 0; at < counting.length; at += 3) {
    const first = firstOf(counting[at] ?? 0)
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  const contents = new Map([...counts].map(([first, ids]) => [first, Buffer.alloc(ids * width)]))
  const filled = new Map<number, number>()
  const id = Buffer.alloc(12)
  for (let at = 0; at < counting.length; at += 3) {
    for (const word of [0, 1, 2]) id.writeUInt32LE(counting[at + word] ?? 0, 8 - 4 * word)
    const first = firstOf(counting[at] ?? 0)
    const place = filled.get(first) ?? 0
    id.copy(contents.get(first) ?? id, place, 3 - form, 3 - form + width)
    filled.set(first, place + width)
  }
  const [tag = ''] = keys.of([0])
  const entries = [...contents]
  for (let at = 0; at < entries.length; at += 200) {
    const some = entries.slice(at, at + 200)
    const names = some.map(([first]) => `${tag}:${filling}:0:${first}`)
    await connection.run(
      setScript,
      names,
      some.map(([, bytes]) => bytes),
    )
  }
  await connection.run(stateScript, [tag], [buckets, count, form])
}

const setScript = scriptOf(`for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[i]) end`)
const stateScript = scriptOf(
  `redis.call('HSET', KEYS[1], 'newest', 0, 'n0', ARGV[1], 'c0', ARGV[2], 'f0', ARGV[3])`,
)

/** Where the bucket of an id begins, by the id's first word, with so many buckets (buckets.lua). */
function placing(buckets: number): (word: number) => number {
  let [width, low] = [1_048_576, 1]
  for (; low * 2 <= buckets; low *= 2) width /= 2
  const split = (buckets - low) * width
  return (word) => {
    const prefix = word >>> 12
    const size = prefix < split ? width / 2 : width
    return prefix - (prefix % size)
  }
}

/** So many ids at a time, always the same ones for the same start. */
function idsFrom(start: number): (count: number) => Uint32Array {
  const random = seeded(start)
  return (count) => Uint32Array.from({ length: count * 3 }, () => random() * 4_294_967_296)
}

const looked = 20_000

async function look(
  connection: RedisConnection,
  next: (count: number) => Uint32Array,
): Promise<number> {
  let found = 0
  for (let at = 0; at < looked; at += idsPerMark) {
    const known = new Uint8Array(idsPerMark)
    const pieces = [{ partition: 0, namespace, start: '', count: idsPerMark }]
    const call = { pieces, ids: next(idsPerMark), known }
    await ask(connection, keys, { call, condition: { half: '', evicted: '' } })
    found += known.reduce((sum, one) => sum + one, 0)
  }
  return found
}

await asChild(import.meta.url, benchRedisBuckets)
