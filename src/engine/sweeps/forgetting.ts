import type { Forgetting } from '../../parts/store/forgetting.ts'
import type { Positions } from '../../rules/meter/place.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import type { Duration } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'

export interface ForgettingNeeds {
  readonly store: Forgetting
  /** How long events can be read back and explained. */
  readonly retention: Duration
  readonly clock: Pick<BelievedClock, 'believed'>
  readonly logger: Logger
  /** Called after every round in which something was deleted. */
  readonly forgot: (rows: Forgot) => void
}

export interface Forgot {
  readonly routing_history: number
  readonly versions: number
  readonly quarantine: number
}

/**
 * The time between two rounds, by monotonic time. There is no hurry: what stays only takes room.
 */
const everyMs = 6 * 3_600_000
const [changesPerPage, versionsMax, recordsMax] = [500, 10_000, 100]

interface Round {
  readonly keptFrom: Positions
  readonly behind: number
  readonly rows: Forgot
}

/**
 * Goes through what explanations read about how events were routed, and deletes what no kept event
 * was measured with; empties records in quarantine when events of their time are gone. Several
 * processes may do it at the same time.
 */
export function openForgetting(needs: ForgettingNeeds): Loop {
  const { store, clock, retention, logger } = needs
  let round: Round | null = null
  return loop({ name: 'forgetting', logger, idleMs: everyMs, work })

  async function work(): Promise<boolean> {
    round ??= await begun()
    const { keptFrom, behind, rows } = round
    const page = await store.routing({ behind, rowsMax: changesPerPage, keptFrom })
    const sofar = { ...rows, routing_history: rows.routing_history + page.rows }
    round = page.last === null ? null : { keptFrom, behind: page.last, rows: sofar }
    if (round !== null) return true
    if (sofar.routing_history + sofar.versions + sofar.quarantine > 0) needs.forgot(sofar)
    return false
  }

  async function begun(): Promise<Round> {
    const quarantine = await store.quarantine(after(clock.believed(), -retention), recordsMax)
    const keptFrom = await store.keptFrom()
    const versions = await store.versions({ keptFrom, rowsMax: versionsMax })
    return { keptFrom, behind: 0, rows: { routing_history: 0, versions, quarantine } }
  }
}
