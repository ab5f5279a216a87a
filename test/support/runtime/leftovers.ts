import { setImmediate as turn } from 'node:timers/promises'
import { GCProfiler, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What is compiled meanwhile is left behind as well, but once: the least of so many counts. */
const windows = 3

/**
 * How many bytes of what `work` does move to where only a full collection looks: it counts, and
 * measures no time. Everything is collected soon after the beginning, so that what is under way
 * then is old from there on; what comes and goes later must not be kept alive by it. `work` is done
 * several times, and is given a function that collects what is young, for work that would not fill
 * that space by itself.
 */
export async function leftBehind(
  work: (collectYoung: () => void) => Promise<void>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let window = 0; window < windows; window += 1) least = Math.min(least, await once(work))
  return least
}

async function once(work: (collectYoung: () => void) => Promise<void>): Promise<number> {
  const collect = collector()
  const profiler = new GCProfiler()
  profiler.start()
  const worked = work(() => collect({ type: 'minor' }))
  await turn()
  collect()
  await worked
  return profiler
    .stop()
    .statistics.filter(({ gcType }) => gcType === 'Scavenge')
    .reduce((sum, { afterGC, beforeGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0)
}

type Collect = (options?: { readonly type: 'minor' }) => void

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

type Heap = ReturnType<GCProfiler['stop']>['statistics'][number]['beforeGC']

const oldBytes = ({ heapSpaceStatistics }: Heap): number =>
  heapSpaceStatistics
    .filter(({ spaceName }) => !spaceName.startsWith('new'))
    .reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0)
