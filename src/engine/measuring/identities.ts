import type { Confirming } from '../../operations/events/confirming.ts'
import type { LogSlice } from '../../parts/event-log/port.ts'
import type { Quarantined } from '../../parts/store/measuring.ts'
import type { LineHead } from '../../rules/archive/head.ts'
import { headReader } from '../../rules/archive/head.ts'
import { linesOf } from '../../rules/archive/line.ts'
import type { Logger } from '../../runtime/logger.ts'

/** Who the events of a slice are, by their numbers in it. Read when somebody asks: hardly ever. */
export interface Identities {
  of(event: number): LineHead
  areOne(event: number, other: number): boolean
}

export function identitiesIn(slice: LogSlice, unreadable: readonly Quarantined[]): Identities {
  const headOf = headReader()
  let lines: readonly string[] | null = null
  return { of, areOne }

  function of(event: number): LineHead {
    lines ??= readable()
    const line = lines[event]
    if (line === undefined) throw new Error(`The slice has no event ${event}.`)
    return headOf(line)
  }

  function readable(): readonly string[] {
    const left = new Set(unreadable.map(({ offset }) => offset))
    return slice.records
      .filter(({ offset }) => !left.has(offset))
      .flatMap(({ value }) => linesOf(value))
  }

  function areOne(event: number, other: number): boolean {
    const [one, two] = [of(event), of(other)]
    return one.eventId === two.eventId && one.businessId === two.businessId && one.mode === two.mode
  }
}

export interface SparingNeeds {
  readonly confirming: Confirming
  readonly logger: Logger
}

/** Takes out of `known` who only shares a fingerprint with what counted. [issue 10.8] */
export async function spareOthers(
  { confirming, logger }: SparingNeeds,
  known: Uint8Array,
  identities: Identities,
): Promise<void> {
  for (let event = known.indexOf(1); event >= 0; event = known.indexOf(1, event + 1)) {
    if (!confirming.affords()) return
    const { businessId, mode, eventId } = identities.of(event)
    const others = await confirming.others({ businessId, mode }, [eventId])
    if (!others.has(eventId)) continue
    known[event] = 0
    logger.warn({ businessId, mode }, 'two events have one fingerprint: both count')
  }
}
