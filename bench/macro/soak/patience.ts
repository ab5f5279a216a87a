import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from '../../harness/site.ts'

const triesMax = 30

export interface Patience {
  /**
   * Like the site's `call`, but repeats where the server says "come again", as happens in an hour.
   */
  readonly call: Site['call']
  /** How often the server said so. */
  readonly refused: () => number
}

/**
 * Does what clients should do with a 503: it repeats the call. Where a repeat finds the change done
 * already, the first try has done it.
 */
export function patience(site: Pick<Site, 'call'>, pauseMs = 1_000): Patience {
  let refused = 0
  return { call, refused: () => refused }

  async function call<T>(...asked: Parameters<Site['call']>) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await site.call<T>(...asked)
      } catch (error) {
        const said = error instanceof Error ? error.message : ''
        if (tries > 1 && said.includes('answered 409')) return { body: null as T, headers: none }
        if (tries === triesMax || !said.includes('answered 503')) throw error
        refused += 1
        process.stderr.write(`${said}\n`)
        await sleep(pauseMs)
      }
    }
  }
}

const none = new Headers()
