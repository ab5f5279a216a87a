import { limits } from '../../src/limits.ts'
import { second } from '../../src/std/instant.ts'
import type { Costs } from './costs.ts'

// What a rate of events needs. What no bench measures is a constant here, with its reason.

/** In the mean: the rest is for bursts, restarts and one machine that is away. */
const busyShare = 0.6
/** An event as the workload of the benches has it, and as the log has it: with its business. */
const eventBytes = 240
const recordBytes = 300
const replicas = 3
/** Measuring and archive each read the log. */
const readers = 2
/** An id in Redis at a million ids a partition, and how many windows of ids it holds. */
const idBytes = 10.58
const windowsHeld = 1.5
/** Of one Redis server: more takes too long to copy to a replica. */
const redisBytesMax = 48 * 1024 ** 3
/** A database server that is large, and ordinary. */
const postgresCoresMax = 32

export interface Needs {
  readonly rate: number
  readonly gatewayCores: number
  readonly gateways: number
  readonly engineCores: number
  readonly engines: number
  /** One engine a partition at most. */
  readonly partitions: number
  readonly redisCores: number
  readonly redisBytes: number
  readonly redisServers: number
  readonly postgresCores: number
  readonly kafkaBytesASecond: number
  readonly kafkaDiskBytes: number
  readonly bottleneck: string
}

/** At least two of everything that accepts or measures, since one is not available always. */
export function needsAt(rate: number, costs: Costs): Needs {
  const cores = (micros: number): number => (rate * micros) / 1e6 / busyShare
  const processes = (each: number): number => Math.max(2, Math.ceil(rate / each / busyShare))
  const engines = processes(costs.engineRate)
  const redisBytes = rate * (limits.dedupeWindow / second) * windowsHeld * idBytes
  const redisServers = Math.max(
    Math.ceil(cores(costs.redis)),
    Math.ceil(redisBytes / redisBytesMax),
  )
  const needs = {
    rate,
    gatewayCores: cores(costs.gateway),
    gateways: processes(costs.gatewayRate),
    engineCores: cores(costs.engine),
    engines,
    partitions: Math.max(usualPartitions, 2 ** Math.ceil(Math.log2(engines))),
    redisCores: cores(costs.redis),
    redisBytes,
    redisServers,
    postgresCores: cores(costs.postgres),
    kafkaBytesASecond: rate * recordBytes * (replicas + readers),
    kafkaDiskBytes: rate * recordBytes * replicas * (limits.kafkaRetentionMs / 1_000),
  }
  return { ...needs, bottleneck: bottleneckOf(needs) }
}

const usualPartitions = 16

/** What has to move first before the rate can grow ten times. */
function bottleneckOf(needs: Omit<Needs, 'bottleneck'>): string {
  if (needs.postgresCores > postgresCoresMax) return 'PostgreSQL'
  if (needs.partitions > usualPartitions) return 'partitions'
  if (needs.redisServers > 1) return 'memory of Redis'
  return 'nothing'
}

/** The rates of the table. */
export const rates: readonly number[] = [10_000, 100_000, 1_000_000, 10_000_000]

/** The table as Markdown. */
export function tableOf(costs: Costs): string {
  const columns = rates.map((rate) => needsAt(rate, costs))
  const row = (name: string, cell: (needs: Needs) => string): readonly string[] => [
    name,
    ...columns.map(cell),
  ]
  const rows = [
    row('events a second', ({ rate }) => grouped(rate)),
    row('gateways; their cores', (all) => `${grouped(all.gateways)}; ${whole(all.gatewayCores)}`),
    row('engines; their cores', (all) => `${grouped(all.engines)}; ${whole(all.engineCores)}`),
    row('partitions of `usage.events`', ({ partitions }) => grouped(partitions)),
    row('Redis masters; cores', (all) => `${grouped(all.redisServers)}; ${whole(all.redisCores)}`),
    row('ids in Redis', ({ redisBytes }) => bytes(redisBytes)),
    row('cores of PostgreSQL', ({ postgresCores }) => whole(postgresCores)),
    row('Kafka, in and out', (all) => `${bytes(all.kafkaBytesASecond)}/s`),
    row('Kafka, on disk', ({ kafkaDiskBytes }) => bytes(kafkaDiskBytes)),
    row('requests, in', ({ rate }) => `${bytes(rate * eventBytes)}/s`),
    row('moves first', ({ bottleneck }) => bottleneck),
  ]
  return aligned(rows)
}

/** Columns of one width, the numbers to the right. */
function aligned([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => [...(row[at] ?? '')].length)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => padded(cell, widths[at] ?? 0, at > 0)).join(' | ')} |`
  const rule = widths.map((width, at) => (at > 0 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

const padded = (text: string, width: number, right: boolean): string => {
  const space = ' '.repeat(width - [...text].length)
  return right ? space + text : text + space
}

const whole = (value: number): string => grouped(Math.max(1, Math.ceil(value)))

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ' ')

function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  return `${Number((value / 1_000 ** at).toPrecision(2))} ${units[at]}`
}
