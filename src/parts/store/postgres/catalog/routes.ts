import type { SubscriptionRoute } from '../../../../rules/meter/route.ts'
import { instantFrom, instantOrNull } from '../connection/values.ts'
import type { StoredRange } from '../usage/log-time.ts'
import { rangesOf } from '../usage/log-time.ts'
import type { StretchJson } from './stretches.ts'
import { stretchesFrom } from './stretches.ts'

/** What measuring reads of a subscription. */
export interface RouteJson {
  readonly route_id: string
  readonly activated_at: string
  readonly ended: string | null
  readonly pauses: readonly StoredRange[]
  readonly stretches: readonly StretchJson[]
}

export const routeFrom = (route: RouteJson): SubscriptionRoute => ({
  routeId: route.route_id,
  activatedAt: instantFrom(route.activated_at),
  ended: instantOrNull(route.ended),
  pauses: rangesOf(route.pauses),
  stretches: stretchesFrom(route.stretches),
})
