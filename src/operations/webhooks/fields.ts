import { Fault } from '../../faults.ts'
import type { Changes } from '../../parts/store/changes.ts'
import type { EndpointScope, WebhookEndpoints } from '../../parts/store/webhook-endpoints.ts'
import type { Destinations } from '../../rules/facts/destination.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { NewId } from '../../std/id.ts'
import type { Tries } from '../accounts/until-written.ts'

export interface WebhookNeeds extends Tries {
  readonly changes: Pick<Changes, 'commit'>
  readonly endpoints: WebhookEndpoints
  readonly secrets: Secrets
  readonly destinations: Destinations
  readonly newId: NewId
}

/**
 * @throws Fault 422 when webhooks of this mode may not go there. [webhooks#where-endpoints-may-be]
 */
export function checkUrl(destinations: Destinations, url: string, scope: EndpointScope): void {
  const problem = destinations.problemOf(url, scope.mode)
  if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
}
