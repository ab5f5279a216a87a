import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Before a process that stands beside others loads what it runs: the space for what is young, which
 * is never given back, grows no further from here on.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * For a process that stands beside others: memory is collected sooner instead of growing. What is
 * young stays within 1 MB instead of 16; what is old may grow by a quarter between collections, and
 * not to hundreds of MB before the first one, which is now.
 */
export function keepHeapSmall(): void {
  keepYoungSpaceSmall()
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
