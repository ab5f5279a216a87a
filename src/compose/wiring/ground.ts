import type { GroupHandler, LogGroup, LogReader } from '../../parts/event-log/port.ts'
import type { Checks } from '../../runtime/checks.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Lifecycle } from '../../runtime/lifecycle.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { EngineMetrics } from '../../runtime/metrics.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration } from '../../std/instant.ts'

/** What all parts of the engine need. */
export interface EngineNeeds {
  readonly clock: BelievedClock
  readonly newId: NewId
  readonly logger: Logger
  readonly metrics: EngineMetrics
  readonly checks: Checks
  /** Stops what was started, in the reverse order. */
  readonly life: Lifecycle
}

/** The event log in the engine thread. */
export interface EngineLog {
  readonly reader: LogReader
  readonly openGroup: (handler: GroupHandler) => Promise<LogGroup>
  /**
   * The share of the log, 0 to 1, that must go before its time. Null: the log has its own
   * retention.
   */
  readonly excess: (() => Promise<number>) | null
  /** How far the log's clock may trail this machine's. */
  readonly skew: Duration
}
