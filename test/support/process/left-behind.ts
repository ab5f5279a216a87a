import { readdirSync, readFileSync } from 'node:fs'

/**
 * The directories of this process's test files, which stand in the command lines of the processes
 * that they start.
 */
const places: string[] = []

export const noteScratch = (path: string): void => void places.push(path)

/**
 * The command line of each process that this one has started, directly or not, and that still runs.
 */
export function leftBehind(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isOurs(pid))
    .map((pid) => `${pid}: ${callOf(pid).replaceAll('\0', ' ').trim()}`)
}

function isOurs(pid: string): boolean {
  const call = callOf(pid)
  // It has ended or is a zombie; or it is what removes a scratch directory after this process has
  // ended.
  if (call === '' || call.includes(keeping)) return false
  return parentOf(pid) === process.pid || places.some((path) => call.includes(path))
}

/** A part of the script in `test/support/servers/scratch.ts`. */
const keeping = 'while read -r _; do :; done'

/**
 * The words of its command line, each ending in a zero byte; empty where there is no such process.
 */
const callOf = (pid: string): string => read(`/proc/${pid}/cmdline`)

function parentOf(pid: string): number {
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
