import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSidecar } from '../../test/support/process/sidecar.ts'
import type { Outcome } from '../against/open-loop.ts'
import { openLoop } from '../against/open-loop.ts'
import { cpuSince, cpuTime } from '../harness/cpu.ts'
import { onEnd } from '../harness/processes.ts'
import type { Goal, Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { scratchDirectory } from '../harness/server.ts'
import type { Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { eventName } from '../harness/workload.ts'

const eventsPerSecond = 1_000
/** Events of a request, and connections that they come by. */
const cells = [
  [100, 8],
  [10, 8],
  [1, 8],
  [1, 64],
] as const
/** A process that is young spends most of its time on compiling itself. */
const warmSeconds = { smoke: 0.2, quick: 10, full: 30 } as const
const seconds = { smoke: 0.5, quick: 15, full: 60 } as const

/**
 * What a sidecar costs beside the program that meters, in requests of several sizes, each at an
 * even rate to a sidecar of its own before one real gateway. CPU is that of the whole process.
 */
export async function benchSidecar(run: Run): Promise<Result> {
  const site = await openSite(run)
  const lines: Line[] = []
  const goals: Goal[] = []
  for (const [batch, connections] of cells) {
    const { cpuShare, memory, outcome } = await cellOf(site, { run, batch, connections })
    const label = `${batch} a request, ${connections} connections`
    const figures = [
      figure('CPU', cpuShare * 100, '% of a core'),
      figure('memory at most', memory, 'MiB'),
      figure('p50', outcome.fromDue.percentile(50) / 1_000, 'ms'),
      figure('p99', outcome.fromDue.percentile(99) / 1_000, 'ms'),
    ]
    lines.push({ label, figures })
    goals.push(
      { name: `CPU, ${label}`, value: cpuShare * 100, unit: '%', target: 5, better: 'less' },
      { name: `memory, ${label}`, value: memory, unit: 'MiB', target: 80, better: 'less' },
    )
  }
  await site.stop()
  return { name: 'sidecar', lines, goals, checksum: '' }
}

interface Cell {
  readonly run: Run
  readonly batch: number
  readonly connections: number
}

async function cellOf(site: Site, { run, batch, connections }: Cell) {
  const scratch = scratchDirectory()
  const sidecar = await startSidecar({
    SIDECAR_UPSTREAM: site.url,
    SIDECAR_KEY: site.apiKey,
    SIDECAR_LISTEN: '127.0.0.1:0',
    SPOOL_DIR: scratch.path,
    LOG_LEVEL: 'warn',
  })
  const forget = onEnd(() => sidecar.child.kill('SIGKILL'))
  const pid = sidecar.child.pid ?? 0
  const load = async (name: string, lasting: number): Promise<Outcome> => {
    const asked = { url: sidecar.listens, key: '', rate: eventsPerSecond, seconds: lasting }
    const idPrefix = `${name}_${batch}_${connections}_`
    const outcome = await openLoop(
      { ...asked, batch, connections, eventName },
      site.customers,
      idPrefix,
    )
    if (outcome.statuses.size !== 1 || !outcome.statuses.has(200)) {
      throw new Error(`The sidecar answered ${[...outcome.statuses.keys()].join(' and ')}.`)
    }
    return outcome
  }
  await load('warm', warmSeconds[run.name])
  const from = cpuTime(pid)
  const outcome = await load('load', seconds[run.name])
  const used = cpuSince(from, cpuTime(pid))?.own ?? Number.NaN
  const memory = peakOf(pid)
  // What it has taken last is still on its way.
  await sleep(200)
  sidecar.child.kill('SIGTERM')
  await sidecar.ended
  forget()
  scratch.remove()
  return { cpuShare: used / 1_000_000 / outcome.seconds, memory, outcome }
}

/** The most memory that the process has had so far, in MiB; NaN where the system does not tell. */
function peakOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1]) / 1_024
  } catch {
    return Number.NaN
  }
}
