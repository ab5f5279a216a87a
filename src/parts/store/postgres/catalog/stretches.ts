import { limits } from '../../../../limits.ts'
import type { Folded, Link, Stretch, Usage } from '../../../../rules/meter/route.ts'
import type { Cycle, Frequency } from '../../../../std/calendar.ts'
import { formatDecimal, parseDecimal } from '../../../../std/decimal.ts'
import { formatInstant } from '../../../../std/instant.ts'
import { instantFrom } from '../connection/values.ts'

/** A stretch as it is stored in a jsonb column. */
export interface StretchJson {
  readonly from: string
  readonly anchor: string
  readonly frequency: Frequency
  readonly links: readonly LinkJson[]
  readonly cycle?: { readonly start: string; readonly end: string }
  readonly withdrawn?: readonly LinkJson[]
}

/** A link as it is stored in a stretch, and in a scheduled plan change. */
export interface LinkJson {
  readonly meter_id: string
  readonly entitlement_id: string | null
  readonly units_per_credit: string | null
  readonly free_threshold: string
  readonly price_per_unit: string | null
}

export const stretchesFrom = (stored: readonly StretchJson[]): readonly Stretch[] =>
  stored.map((stretch) => ({
    from: instantFrom(stretch.from),
    anchor: instantFrom(stretch.anchor),
    frequency: stretch.frequency,
    links: stretch.links.map(linkFrom),
    ...(stretch.cycle === undefined ? {} : { cycle: cycleFrom(stretch.cycle) }),
    ...(stretch.withdrawn === undefined ? {} : { withdrawn: stretch.withdrawn.map(linkFrom) }),
  }))

const cycleFrom = ({ start, end }: { start: string; end: string }) => ({
  start: instantFrom(start),
  end: instantFrom(end),
})

export const stretchesJson = (stretches: readonly Stretch[]): string =>
  JSON.stringify(stretches.map(stretchJson))

export const stretchJson = (stretch: Stretch): StretchJson => ({
  from: formatInstant(stretch.from),
  anchor: formatInstant(stretch.anchor),
  frequency: stretch.frequency,
  links: stretch.links.map(linkJson),
  ...(stretch.cycle === undefined ? {} : { cycle: cycleJson(stretch.cycle) }),
  ...(stretch.withdrawn === undefined ? {} : { withdrawn: stretch.withdrawn.map(linkJson) }),
})

const cycleJson = ({ start, end }: Cycle) => ({
  start: formatInstant(start),
  end: formatInstant(end),
})

export function linkFrom(link: LinkJson): Link {
  return {
    meterId: link.meter_id,
    entitlementId: link.entitlement_id,
    unitsPerCredit: link.units_per_credit === null ? null : exact(link.units_per_credit),
    freeThreshold: exact(link.free_threshold) as Usage,
    pricePerUnit: link.price_per_unit,
  }
}

export const linkJson = (link: Link): LinkJson => ({
  meter_id: link.meterId,
  entitlement_id: link.entitlementId,
  units_per_credit:
    link.unitsPerCredit === null ? null : formatDecimal(link.unitsPerCredit, limits.usageScale),
  free_threshold: formatDecimal(link.freeThreshold, limits.usageScale),
  price_per_unit: link.pricePerUnit,
})

/** A quantity of meter units, scaled by 10^18. */
export function exact(text: string): bigint {
  const value = parseDecimal(text, limits.usageScale)
  if (value === null) throw new Error('A decimal of the store cannot be read.')
  return value
}

/** Stretches that were left out, as the writing functions take them. */
export const overJson = (over: Folded['over']) =>
  over.map(({ stretch, end }) => ({
    from_at: formatInstant(stretch.from),
    end_at: formatInstant(end),
    stretch: stretchJson(stretch),
  }))

/** Stretches at hand and those that were left out, in order. */
export const allStretches = (
  stretches: readonly StretchJson[],
  old: readonly StretchJson[],
): readonly Stretch[] => stretchesFrom([...stretches, ...old]).toSorted((a, b) => a.from - b.from)
