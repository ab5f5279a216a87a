import { readFile } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import type { Duration, Instant } from '../std/instant.ts'
import { instantOf, second } from '../std/instant.ts'
import { processTime } from './clock.ts'

/** The two clocks of the machine. */
export interface MachineTime {
  /** The time that the machine shows. */
  wall(): Instant
  /** Time since the machine was started, sleep included; nobody can set it. */
  monotonic(): Duration
}

export function machineTime(): MachineTime {
  // The uptime counts sleep but is coarse; the process's time is fine but stands still during
  // sleep.
  let base = uptime() * second - processTime()
  return { wall: () => instantOf(Date.now() * 1_000), monotonic }

  function monotonic(): Duration {
    const fine = processTime()
    const slept = uptime() * second - fine - base
    if (slept > second) base += slept
    return fine + base
  }
}

/** Names this machine and its current boot; null where the system does not say. */
export async function machineStart(): Promise<string | null> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null)
  return boot === null ? null : `${hostname()} ${boot.trim()}`
}
