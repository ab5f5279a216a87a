import { limits } from '../limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Loop } from '../runtime/loop.ts'
import { loop } from '../runtime/loop.ts'
import { second } from '../std/instant.ts'
import { sidecarLimits } from './limits.ts'
import type { Spool } from './spool.ts'

export interface AgeWatchNeeds {
  readonly spool: Pick<Spool, 'events' | 'oldestAt'>
  /** How old an event the key may send, in µs; 0: no older than any key may. */
  readonly backfill: () => number
  readonly clock: Clock
  readonly logger: Logger
}

/** Seconds that the first event of the spool has waited; 0 where there is none. */
export function oldestSeconds({ spool, clock }: Pick<AgeWatchNeeds, 'spool' | 'clock'>): number {
  const { oldestAt } = spool
  return oldestAt === null ? 0 : Math.max(0, (clock.now() - oldestAt) / second)
}

/**
 * Warns, at once and then again and again, while events have waited so long that the gateway will
 * soon refuse them for their age. [events#times]
 */
export function ageWatch(needs: AgeWatchNeeds): Loop {
  return loop({
    name: 'watch of ages',
    idleMs: sidecarLimits.ageWarningEveryMs,
    logger: needs.logger,
    async work() {
      warnOfAge(needs)
      return false
    },
  })
}

function warnOfAge(needs: AgeWatchNeeds): void {
  const { spool, backfill, logger } = needs
  const seconds = oldestSeconds(needs)
  const window = Math.max(limits.eventAgeMax, backfill()) / second
  if (seconds < window - sidecarLimits.ageWarning / second) return
  logger.warn(
    { oldestSeconds: Math.round(seconds), windowSeconds: window, events: spool.events },
    seconds < window
      ? 'Events in the spool will soon be too old for the gateway: a key made with --backfill may send older ones.'
      : 'Events in the spool are too old for the gateway: a key made with --backfill may send older ones.',
  )
}
