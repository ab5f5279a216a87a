import { readdirSync, readFileSync } from 'node:fs'

/** CPU time that a server has used so far, in microseconds; null where the system does not tell. */
export interface CpuTime {
  /** The process itself, all of its threads. */
  readonly own: number
  /** The part of it that the main thread used, which is the edge. */
  readonly mainThread: number
  /** Every process that it has started: the embedded PostgreSQL. */
  readonly started: number
}

// The kernel reports times in USER_HZ, which is 100 wherever Linux runs Node.
const microsPerTick = 10_000

/**
 * Reads /proc, so what the load generator, other processes and the kernel's own threads use is not
 * counted.
 */
export function cpuTime(pid: number): CpuTime | null {
  const own = statOf(`${pid}`)
  const mainThread = statOf(`${pid}/task/${pid}`)
  if (own === null || mainThread === null) return null
  const started = descendants(pid).reduce((sum, each) => sum + each.used + each.reaped, 0)
  return { own: own.used, mainThread: mainThread.used, started }
}

export const cpuSince = (from: CpuTime | null, to: CpuTime | null): CpuTime | null =>
  from === null || to === null
    ? null
    : {
        own: to.own - from.own,
        mainThread: to.mainThread - from.mainThread,
        started: to.started - from.started,
      }

interface Stat {
  readonly parent: number
  /** In microseconds. */
  readonly used: number
  /** Used by children that have ended and been waited for. */
  readonly reaped: number
}

function statOf(path: string): Stat | null {
  try {
    const text = readFileSync(`/proc/${path}/stat`, 'latin1')
    // The name, up to the last parenthesis, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (field: number): number => Number(fields[field - 3])
    return {
      parent: at(4),
      used: (at(14) + at(15)) * microsPerTick,
      reaped: (at(16) + at(17)) * microsPerTick,
    }
  } catch {
    // Not Linux, or the process has just ended.
    return null
  }
}

function descendants(root: number): readonly Stat[] {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null
    if (stat !== null) stats.set(Number(name), stat)
  }
  const isBelow = (stat: Stat | undefined): boolean =>
    stat !== undefined && (stat.parent === root || isBelow(stats.get(stat.parent)))
  return [...stats.values()].filter(isBelow)
}
