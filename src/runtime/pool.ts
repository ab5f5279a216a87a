// piscina: a pool of threads with transfer lists and back-pressure. This is the only import of it.
import { Piscina } from 'piscina'

/** Threads that each run the default export of the same entry file. */
export interface Pool<Task, Result> {
  /**
   * Runs one task in a thread that is free, or waits for one. The buffers of `transfer` are moved,
   * and are empty here afterwards. Rejects with what the task threw.
   */
  run(task: Task, transfer?: readonly ArrayBuffer[]): Promise<Result>

  /** Waits for running tasks, then ends the threads. */
  close(): Promise<void>
}

export interface PoolOptions {
  readonly workers: number
  /** A built file of `workers/`. */
  readonly entry: URL
}

export function openPool<Task, Result>({ workers, entry }: PoolOptions): Pool<Task, Result> {
  const pool = new Piscina<Task, Result>({
    filename: entry.href,
    minThreads: workers,
    maxThreads: workers,
    // Threads are never ended when idle, because each keeps its compiled catalog.
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
  })
  return {
    run: (task, transfer = []) => pool.run(task, { transferList: [...transfer] }),
    close: () => pool.close(),
  }
}
