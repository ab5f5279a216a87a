import { readdirSync, readFileSync } from 'node:fs'

/** Directories of this test file, which the processes that it starts name when they are called. */
const places: string[] = []

export const noteScratch = (path: string): void => void places.push(path)

/** How each process is called that this file has started, directly or not, and that still runs. */
export function leftBehind(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isOurs(pid))
    .map((pid) => `${pid}: ${callOf(pid).replaceAll('\0', ' ').trim()}`)
}

function isOurs(pid: string): boolean {
  const call = callOf(pid)
  // Gone, or a zombie; or what removes a scratch directory when this process has ended.
  if (call === '' || call.includes(keeping)) return false
  return parentOf(pid) === process.pid || places.some((path) => call.includes(path))
}

/** Stands in the script of `test/support/servers/scratch.ts`. */
const keeping = 'while read -r _; do :; done'

/** Its words, with a zero behind each; empty when there is no such process. */
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
