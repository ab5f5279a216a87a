import { cpuTime } from '../../harness/cpu.ts'
import type { Figure } from '../../harness/result.ts'
import { figure } from '../../harness/result.ts'

/** CPU time of some processes together, in microseconds; NaN where the system does not tell. */
export const micros = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (cpuTime(pid)?.own ?? Number.NaN), 0)

/** Where the system does not tell there is no figure. */
export const perEvent = (name: string, spent: number, events: number): readonly Figure[] =>
  Number.isNaN(spent) ? [] : [figure(name, spent / events, 'µs')]
