import type { AggregationType, Filter } from '../../../../rules/meter/meter.ts'
import type { StoredRange } from '../usage/log-time.ts'
import { rangesOf } from '../usage/log-time.ts'
import type { StretchJson } from './stretches.ts'
import { stretchesFrom } from './stretches.ts'

/**
 * What measuring works from, as the database assembles it: the current state, or that of a version.
 */
export interface CatalogRows {
  readonly meters: readonly {
    readonly meter_id: string
    readonly event_name: string
    readonly aggregation: AggregationType
    readonly aggregation_key: string | null
    readonly filter: Filter | null
    readonly archived: readonly StoredRange[]
  }[]
  readonly links: readonly {
    readonly credit_entitlement_id: string
    readonly stretches: readonly StretchJson[]
  }[]
}

export const catalogFrom = ({ meters, links }: CatalogRows) => ({
  meters: meters.map((meter) => ({
    meterId: meter.meter_id,
    eventName: meter.event_name,
    aggregation: meter.aggregation,
    aggregationKey: meter.aggregation_key,
    filter: meter.filter,
    archived: rangesOf(meter.archived),
  })),
  links: links.map((entitlement) => ({
    entitlementId: entitlement.credit_entitlement_id,
    stretches: stretchesFrom(entitlement.stretches),
  })),
})
