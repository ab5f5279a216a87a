import { AssertionError } from 'node:assert'
import type { Logger } from '../../runtime/logger.ts'
import { pauseFor } from '../../runtime/pause.ts'

/** Does `work` again, after growing pauses, until it succeeds. */
export type Persist = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Store or dedupe may be away for a while, and nothing is lost by waiting: what is not committed is
 * still in the log. Gives up when the process is stopping, and at once on a failed assertion, which
 * does not go away by waiting.
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
