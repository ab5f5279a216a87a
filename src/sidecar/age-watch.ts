import { limits } from '../limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { second } from '../std/instant.ts'
import { sidecarLimits } from './limits.ts'
import type { Spool } from './spool.ts'

export interface AgeWatchNeeds {
  readonly spool: Pick<Spool, 'events' | 'oldestAt'>
  /** How old an event the key may send besides, in µs. */
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
 * Says in time that events wait for so long that the gateway will refuse them for their age.
 * [events#times]
 */
export function warnOfAge(ports: AgeWatchNeeds): void {
  const { spool, backfill, logger } = ports
  const seconds = oldestSeconds(ports)
  const window = Math.max(limits.eventAgeMax, backfill()) / second
  if (seconds < window - sidecarLimits.ageWarning / second) return
  logger.warn(
    { oldestSeconds: Math.round(seconds), windowSeconds: window, events: spool.events },
    seconds < window
      ? 'Events in the spool will soon be too old for the gateway: a key made with --backfill may send older ones.'
      : 'Events in the spool are too old for the gateway: a key made with --backfill may send older ones.',
  )
}
