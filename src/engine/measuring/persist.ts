import { AssertionError } from 'node:assert'
import type { Logger } from '../../runtime/logger.ts'
import { pauseFor } from '../../runtime/pause.ts'

/** Repeats `work`, with growing pauses, until it succeeds. */
export type Persist = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Store or dedupe may be away for a while; waiting loses nothing, because the log still has
 * whatever is not committed. Gives up when the process is stopping, and at once on a failed
 * assertion, which waiting does not mend.
 */
export function persisting(logger: Logger, stopped: () => boolean): Persist {
  return async (work) => {
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      try {
        return await work()
      } catch (error) {
        if (stopped() || error instanceof AssertionError) throw error
        logger.warn({ error }, 'measuring waits and tries again')
        await pauseFor(pauseMs)
      }
    }
  }
}
