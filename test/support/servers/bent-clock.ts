import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../run/root.ts'
import { onPath } from './programs.ts'
import { scratch } from './scratch.ts'

const source = join(root, 'test/support/servers/bent-clock.c')

/** Null where a program can be given a wrong clock here; else what would enable it. */
export const bentClockMissing: string | null = onPath('cc') === null ? 'a C compiler (cc)' : null

/**
 * The environment of a program whose clock is off by as many seconds as `file` says. The clock
 * steps when the file changes; monotonic time stays right. (libfaketime is no use here: with it a
 * JVM slows down until it stands still.)
 */
export function bentClock(file: string): Readonly<Record<string, string>> {
  const directory = scratch('clock')
  const library = `${directory.path}/bent-clock.so`
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source])
  return { LD_PRELOAD: library, CLOCK_SHIFT_FILE: file }
}
