import type { TestOptions } from 'vitest'
import { it } from 'vitest'
import { isLong } from './long.ts'

/**
 * A test that takes long, and whose ground shorter ones cover: continuous integration runs it, and
 * a run without TEST_LONG=1 says that it was left out.
 */
export function itAtLength(name: string, options: TestOptions, test: () => Promise<void>): void {
  if (isLong) it(name, options, test)
  else it.skip(`${name}, for want of TEST_LONG=1`, noop)
}

function noop(): void {
  // Its name alone counts.
}
