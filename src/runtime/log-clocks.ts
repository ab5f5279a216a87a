import { apart } from '../std/belief.ts'
import type { Duration } from '../std/instant.ts'
import { minute, second } from '../std/instant.ts'
import type { Check } from './checks.ts'
import { degraded, fine } from './checks.ts'
import type { Logger } from './logger.ts'

export interface LogClocks {
  /** How far a broker's clock was ahead of ours when it stored something. */
  told(broker: number, ahead: Duration): void
  /** Degraded while one of them differs. */
  check(): Check
}

/** For how long the last value of a broker counts that no longer stores anything. */
const keptFor = 10 * minute

/**
 * Watches the clocks that log time comes from. When one is wrong, nothing is dropped or counted
 * twice; but what is to happen at a time may come late, so an operator should know.
 * [guarantees#clocks]
 */
export function watchLogClocks(needs: {
  readonly logger: Logger
  /** Monotonic time in microseconds. */
  readonly monotonic: () => Duration
  /** Called with how far the worst of them is ahead. */
  readonly differs: (ahead: Duration) => void
}): LogClocks {
  const { logger, monotonic, differs } = needs
  const brokers = new Map<number, { readonly ahead: Duration; readonly at: Duration }>()
  const wrong = new Set<number>()
  return { told, check }

  function told(broker: number, ahead: Duration): void {
    brokers.set(broker, { ahead, at: monotonic() })
    differs(worst()?.ahead ?? 0)
    const isWrong = Math.abs(ahead) > apart
    if (isWrong === wrong.has(broker)) return
    const fields = { broker, aheadSeconds: Math.round(ahead / second) }
    if (isWrong) {
      wrong.add(broker)
      logger.error(fields, 'the clock of a broker differs from the time that is believed')
    } else {
      wrong.delete(broker)
      logger.info(fields, 'the clock of a broker agrees again')
    }
  }

  function check(): Check {
    const found = worst()
    if (found === null || Math.abs(found.ahead) <= apart) return fine
    const seconds = Math.round(found.ahead / second)
    return degraded(
      `The clock of Kafka's broker ${found.broker} differs from the time that is believed (${seconds} s).`,
    )
  }

  function worst(): { readonly broker: number; readonly ahead: Duration } | null {
    const since = monotonic() - keptFor
    for (const [broker, { at }] of brokers) if (at < since) brokers.delete(broker)
    return [...brokers]
      .map(([broker, { ahead }]) => ({ broker, ahead }))
      .reduce<{ readonly broker: number; readonly ahead: Duration } | null>(
        (most, one) => (most !== null && Math.abs(most.ahead) >= Math.abs(one.ahead) ? most : one),
        null,
      )
  }
}
