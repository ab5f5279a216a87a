import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pid of the PostgreSQL server on this data directory; 0 when there is none. */
export function postmasterOf(data: string): number {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/** Kills the server and all its processes at once, as a power cut would. */
export function killPostgres(data: string): boolean {
  const pid = postmasterOf(data)
  if (pid === 0) return false
  const children = childrenOf(pid)
  const struck = signal(pid, 'SIGKILL')
  for (const child of children) signal(child, 'SIGKILL')
  return struck
}

/** False when the process is gone. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** The processes that `pid` has started. */
export function childrenOf(pid: number): readonly number[] {
  return processes()
    .filter(({ parent }) => parent === pid)
    .map((process) => process.pid)
}

/** Pids of the living processes whose command line names `text`. */
export function processesNaming(text: string): readonly number[] {
  return processes()
    .filter(({ pid }) => fileOf(pid, 'cmdline').includes(text))
    .map(({ pid }) => pid)
}

/** Pids of the living processes in whose environment `text` stands. */
export function processesWith(text: string): readonly number[] {
  return processes()
    .filter(({ pid }) => pid !== process.pid && fileOf(pid, 'environ').includes(text))
    .map(({ pid }) => pid)
}

/** The title of a process; PostgreSQL's processes say in it what they do. */
export const titleOf = (pid: number): string => fileOf(pid, 'cmdline').split('\0')[0] ?? ''

function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const stat = fileOf(Number(name), 'stat')
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { pid: Number(name), parent: Number(parent ?? 0) }
    })
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
