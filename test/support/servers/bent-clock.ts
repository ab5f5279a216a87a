import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onPath } from './programs.ts'
import { scratch } from './scratch.ts'

const source = fileURLToPath(new URL('./bent-clock.c', import.meta.url))

/** Null when programs can be given a wrong clock here; else what would enable it. */
export const bentClockMissing: string | null = onPath('cc') === null ? 'a C compiler (cc)' : null

/**
 * Settings of a program whose clock is as many seconds off as `file` says; the clock steps when the
 * file changes, and monotonic time stays as it is. (libfaketime slows a JVM down until it stands.)
 */
export function bentClock(file: string): Readonly<Record<string, string>> {
  const directory = scratch('clock')
  const library = `${directory.path}/bent-clock.so`
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source])
  return { LD_PRELOAD: library, CLOCK_SHIFT_FILE: file }
}
