// piscina: a pool of threads with transfer lists and back-pressure. This is the only import of it.
import { Piscina } from 'piscina'

/** Threads that each run the default export of the same entry file. */
export interface Pool<Task, Result> {
  /**
   * Runs one task in a thread that is free, or waits for one. The buffers of `transfer` are moved,
   * and are empty here afterwards. Rejects with what the task threw, where too many tasks wait
   * already, and when `signal` is aborted, which ends the thread that is at it.
   */
  run(task: Task, transfer?: readonly ArrayBuffer[], signal?: AbortSignal): Promise<Result>

  /** Waits for running tasks, then ends the threads. */
  close(): Promise<void>
}

export interface PoolOptions {
  readonly workers: number
  /** A built file of `workers/`. */
  readonly entry: URL
  /** After how long without a task threads end; absent: they stay, from the beginning. */
  readonly idleMs?: number
  /** How many tasks may wait; absent: any. */
  readonly waitingMax?: number
  /** How large the heap of a thread may become, in MiB: beyond that it ends, and its task fails. */
  readonly heapMb?: number
  /**
   * Nobody waits for the tasks: where others want all processors, the threads get a third of a
   * share each. Only Linux knows threads of different priorities.
   */
  readonly givesWay?: boolean
}

/** A third of a share, by the kernel's table of weights: 335 of 1 024. */
const niceness = 5

export function openPool<Task, Result>(options: PoolOptions): Pool<Task, Result> {
  const { entry, givesWay = false, heapMb, idleMs, waitingMax, workers } = options
  const pool = new Piscina<Task, Result>({
    filename: entry.href,
    minThreads: idleMs === undefined ? workers : 0,
    maxThreads: workers,
    // Threads that keep what they have compiled are never ended.
    idleTimeout: idleMs ?? Number.POSITIVE_INFINITY,
    maxQueue: waitingMax ?? Number.POSITIVE_INFINITY,
    ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
    ...(givesWay && process.platform === 'linux' ? { niceIncrement: niceness } : {}),
    recordTiming: false,
  })
  return {
    run: (task, transfer = [], signal) =>
      pool.run(task, { transferList: [...transfer], ...(signal === undefined ? {} : { signal }) }),
    close: () => pool.close(),
  }
}
