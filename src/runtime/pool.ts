// piscina: a pool of threads with transfer lists and back-pressure; ours is the only import of it.
import { Piscina } from 'piscina'

/** Threads that each run the default export of one entry file. */
export interface Pool<Task, Result> {
  /**
   * Runs one task in a thread that is free, or waits for one. The buffers of `transfer` move there
   * and are empty here afterwards. Rejects with what the task threw.
   */
  run(task: Task, transfer?: readonly ArrayBuffer[]): Promise<Result>

  /** Waits for running tasks, then ends the threads. */
  close(): Promise<void>
}

export interface PoolOptions {
  readonly workers: number
  /** A file of `workers/`, as built. */
  readonly entry: URL
}

export function openPool<Task, Result>({ workers, entry }: PoolOptions): Pool<Task, Result> {
  const pool = new Piscina<Task, Result>({
    filename: entry.href,
    minThreads: workers,
    maxThreads: workers,
    // A thread keeps its compiled catalog: starting one again would cost more than it saves.
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
  })
  return {
    run: (task, transfer = []) => pool.run(task, { transferList: [...transfer] }),
    close: () => pool.close(),
  }
}
