import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * For a process that stands beside others: memory is collected sooner instead of growing. What is
 * young stays within 1 MB instead of 16; what is old may grow by a quarter between collections, and
 * not to hundreds of MB before the first one, which is now.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
