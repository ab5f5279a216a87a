import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../src/limits.ts'
import type { Line } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'

/** A process of ours under load. */
export interface Watched {
  readonly name: string
  readonly pid: number
  readonly opsUrl: string
}

/** What was seen during the whole run. */
export interface Seen {
  readonly inflightBytes: number
  /** Of the embedded event log; 0: there is none. */
  readonly logBytes: number
  readonly slowestMetricsMs: number
  /** Memory of each process, in two halves of the run. */
  readonly memory: readonly Line[]
}

export interface Watching {
  /** Reads the metrics of each process. */
  ask(): Promise<void>
  /** @throws where memory has grown, or a bound was passed. */
  stop(): Seen
}

export const mebibyte = 1024 * 1024
/** Twice the edge's budget for bodies that wait: once as bytes, once as parsed objects. */
const growthMax = 2 * limits.inflightBytesMax

export function watch(site: Site, processes: readonly Watched[]): Watching {
  const memory = new Map(processes.map(({ name }) => [name, [] as number[]]))
  let [inflightBytes, logBytes, slowestMetricsMs] = [0, 0, 0]
  // By a timer, and not with each answer, because overloaded servers answer late.
  const looking = setInterval(look, 200)
  return { ask, stop }

  function look(): void {
    for (const { name, pid } of processes) memory.get(name)?.push(ownBytes(pid))
    logBytes = Math.max(logBytes, logBytesOf(site))
  }

  async function ask(): Promise<void> {
    for (const one of processes) {
      const askedAt = performance.now()
      inflightBytes = Math.max(inflightBytes, await metric([one], 'sluice_ingest_inflight_bytes'))
      slowestMetricsMs = Math.max(slowestMetricsMs, performance.now() - askedAt)
    }
  }

  function stop(): Seen {
    clearInterval(looking)
    if (inflightBytes > limits.inflightBytesMax) {
      throw new Error(`${inflightBytes} bytes were in flight.`)
    }
    if (logBytes > limits.logBytesMax) throw new Error('The log is too large.')
    const lines = [...memory].map(([name, bytes]) => memoryOf(name, bytes))
    return { inflightBytes, logBytes, slowestMetricsMs, memory: lines }
  }
}

/** The second half must not be larger than the first, except for what waits at its peak. */
function memoryOf(name: string, bytes: readonly number[]): Line {
  const half = Math.floor(bytes.length / 2)
  const [before, after] = [bytes.slice(0, half), bytes.slice(half)].map((some) =>
    some.reduce((most, one) => Math.max(most, one), 0),
  ) as [number, number]
  if (after > before + growthMax) {
    throw new Error(`Memory of ${name} grows: ${before} bytes in the first half, then ${after}.`)
  }
  return {
    label: name,
    figures: [
      figure('peak memory, first half', before / mebibyte, 'MiB'),
      figure('second half', after / mebibyte, 'MiB'),
    ],
  }
}

function logBytesOf({ dataDir }: Site): number {
  const directory = join(dataDir, 'log')
  if (!existsSync(directory)) return 0
  return readdirSync(directory)
    .map((name) => statSync(join(directory, name)).size)
    .reduce((sum, bytes) => sum + bytes, 0)
}

/**
 * The memory that belongs to the process alone; the system can take back pages of the log's file. 0
 * where there is no /proc.
 */
export function ownBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s*(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Sum over its labels and these processes. */
export async function metric(processes: readonly Watched[], name: string): Promise<number> {
  const each = processes.map(async ({ opsUrl }) => {
    const text = await (await fetch(`${opsUrl}/metrics`)).text()
    return text
      .split('\n')
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
  })
  return (await Promise.all(each)).reduce((sum, one) => sum + one, 0)
}
