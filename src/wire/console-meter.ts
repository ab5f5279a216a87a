import { limits } from '../limits.ts'
import type { AggregationType } from '../rules/meter/meter.ts'
import { formatDecimal } from '../std/decimal.ts'

interface Judged {
  readonly eventId: string
  readonly timestamp: string
  readonly outcome: {
    readonly kind: string
    readonly sentence: string
    readonly quantity?: bigint
  }
}

/** Newest first: what became of each event, and what all of them would come to. */
export const meterPreviewView = (type: AggregationType, judged: readonly Judged[]) => ({
  matched: judged.filter(({ outcome }) => outcome.quantity !== undefined).length,
  of: judged.length,
  aggregate: aggregateOf(
    type,
    judged.flatMap(({ outcome }) => (outcome.quantity === undefined ? [] : [outcome.quantity])),
  ),
  events: judged.map(({ eventId, timestamp, outcome }) => ({
    event_id: eventId,
    timestamp,
    outcome: outcome.kind,
    sentence: outcome.sentence,
    quantity: outcome.quantity === undefined ? null : shown(outcome.quantity),
  })),
})

const shown = (quantity: bigint): string => formatDecimal(quantity, limits.usageScale)

/** Null: nothing matched. */
function aggregateOf(type: AggregationType, quantities: readonly bigint[]): string | null {
  const [latest] = quantities
  if (latest === undefined) return null
  switch (type) {
    case 'count':
    case 'sum':
      return shown(quantities.reduce((sum, one) => sum + one, 0n))
    case 'max':
      return shown(quantities.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? latest)
    case 'last':
      return shown(latest)
  }
}
