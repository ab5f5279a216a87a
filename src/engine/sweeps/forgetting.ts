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
  /** Told after every round in which something went. */
  readonly forgot: (rows: Forgot) => void
}

export interface Forgot {
  readonly routing_history: number
  readonly versions: number
  readonly quarantine: number
}

/** Between two rounds, by monotonic time. Nothing is in a hurry: what stays costs room. */
const everyMs = 6 * 3_600_000
const [changesPerPage, versionsMax, recordsMax] = [500, 10_000, 100]

interface Round {
  readonly keptFrom: Positions
  readonly behind: number
  readonly rows: Forgot
}

/**
 * Goes round what explanations read of how events were routed, and forgets what no kept event was
 * measured with; what could not be read is emptied when events of its time are gone. Right whoever
 * else does it at the same time.
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
