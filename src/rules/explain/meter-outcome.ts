import { limits } from '../../limits.ts'
import { formatDecimal, powerOfTen } from '../../std/decimal.ts'
import type { Instant } from '../../std/instant.ts'
import type { FailedCondition } from '../meter/filter.ts'
import { explainFilter } from '../meter/filter.ts'
import type { CatalogMeter } from '../meter/measure-types.ts'
import { countsAt } from '../meter/meter.ts'
import { explainQuantity } from '../meter/quantity.ts'
import type { Usage } from '../meter/route.ts'
import { usage } from '../meter/route.ts'
import type { UsageEvent } from '../meter/usage-event.ts'

/** What one meter did with one event of its name, and why. [meters#aggregation] */
export type MeterOutcome =
  | { readonly kind: 'matched'; readonly quantity: Usage; readonly sentence: string }
  | { readonly kind: 'not_yet_created' | 'archived' | 'not_numeric'; readonly sentence: string }
  | {
      readonly kind: 'filtered_out'
      readonly failed: readonly FailedCondition[]
      readonly sentence: string
    }

export interface MeterQuestion {
  readonly event: Pick<UsageEvent, 'metadata'>
  readonly receivedAt: Instant
  /** Whether the meter existed when the event was measured. */
  readonly existed: boolean
}

/**
 * Judges in the order of measuring: archived, filter, quantity. Of a meter only the archived ranges
 * of log time ever change, so the meter of today tells what it was then. [meters#late-usage]
 */
export function outcomeOf(
  meter: CatalogMeter,
  { event, receivedAt, existed }: MeterQuestion,
): MeterOutcome {
  if (!existed) return { kind: 'not_yet_created', sentence: sentences.not_yet_created }
  if (!countsAt(meter, receivedAt)) return { kind: 'archived', sentence: sentences.archived }
  if (meter.filter !== null) {
    const explained = explainFilter(meter.filter, event.metadata)
    if (!explained.matches) {
      const { failed } = explained
      const reasons = failed.map(({ path, reason }) => `${path}: ${reason}`).join(' ')
      return { kind: 'filtered_out', failed, sentence: `The filter kept it out. ${reasons}` }
    }
  }
  return quantityOf(meter, event)
}

function quantityOf(meter: CatalogMeter, event: Pick<UsageEvent, 'metadata'>): MeterOutcome {
  const { aggregation, aggregationKey } = meter
  const passed = meter.filter === null ? 'It has no filter' : 'The filter let it pass'
  if (aggregation === 'count') {
    return { kind: 'matched', quantity: one, sentence: `${passed}, and each event counts 1.` }
  }
  const explained = explainQuantity(event.metadata, aggregationKey ?? '')
  if (!explained.ok) {
    const sentence = `${passed}, but it adds nothing to a ${aggregation}: ${explained.reason}`
    return { kind: 'not_numeric', sentence }
  }
  const text = formatDecimal(explained.quantity, limits.usageScale)
  const sentence = `${passed}, and the property '${aggregationKey}' is ${text}.`
  return { kind: 'matched', quantity: explained.quantity, sentence }
}

const one = usage(powerOfTen(limits.usageScale))

const sentences = {
  not_yet_created:
    'The meter was created after the event had been measured: it acts on what is measured later.',
  archived:
    'The meter was archived when the event was received: what comes then counts nothing, ever.',
} as const
