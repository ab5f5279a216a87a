import type { Caller, Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route, scanning } from '../../edge/http/route.ts'
import { notFound } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { EntitlementGrants } from '../../parts/store/entitlement-grants.ts'
import type { Keys } from '../../parts/store/keys.ts'
import type { LocalizedPrices } from '../../parts/store/localized-prices.ts'
import type { PaymentMethods } from '../../parts/store/payment-methods.ts'
import type { WebhookEndpoints } from '../../parts/store/webhook-endpoints.ts'
import type { WebhookMessages } from '../../parts/store/webhook-messages.ts'
import { consoleKeyView } from '../../wire/console-key.ts'
import { grantThing, methodThing } from '../../wire/console-thing.ts'
import { localizedPriceView } from '../../wire/localized-price.ts'
import { webhookMessageView } from '../../wire/webhook-message.ts'

export interface ThingNeeds {
  readonly entitlementGrants: Pick<EntitlementGrants, 'get'>
  readonly keys: Pick<Keys, 'get'>
  readonly localizedPrices: Pick<LocalizedPrices, 'get'>
  readonly paymentMethods: Pick<PaymentMethods, 'get'>
  readonly endpoints: Pick<WebhookEndpoints, 'page'>
  readonly messages: Pick<WebhookMessages, 'find'>
}

type Finder = (caller: Caller, id: string) => Promise<object | null>

/** Things that the API reads only below another, by their id alone: so each leads somewhere. */
export function thingRoutes(needs: ThingNeeds): readonly Route[] {
  const { entitlementGrants: grants, localizedPrices, paymentMethods: methods } = needs
  const finders = new Map<string, Finder>([
    ['entg', async (caller, id) => shown(await grants.get(caller, id), grantThing)],
    ['key', ownKey],
    ['lcp', priceElsewhere],
    ['msg', sentMessage],
    ['pm', async (caller, id) => shown(await methods.get(caller, id), methodThing)],
  ])
  return [scanning(route('GET', '/things/:id', 'read', show))]

  async function show({ caller, param }: Request): Promise<Reply> {
    const id = param('id').slice(0, 255)
    const found = await finders.get(id.split('_')[0] ?? '')?.(caller, id)
    if (found == null) throw notFound('thing', id)
    return ok(found)
  }

  async function ownKey({ businessId, mode }: Caller, id: string): Promise<object | null> {
    const key = await needs.keys.get(id)
    return key?.businessId === businessId && key.mode === mode ? consoleKeyView(key) : null
  }

  async function priceElsewhere(caller: Caller, id: string): Promise<object | null> {
    return shown(await localizedPrices.get(caller, id), localizedPriceView)
  }

  /** What each of the endpoints was told by it: a message has one id for all of them. */
  async function sentMessage({ businessId, mode }: Caller, id: string): Promise<object | null> {
    const scope = { businessId, mode }
    const all = await needs.endpoints.page(scope, { after: null }, limits.webhookEndpointsMax)
    const found = await Promise.all(
      all.map(({ webhookId }) => needs.messages.find({ ...scope, webhookId, messageId: id })),
    )
    const items = found.flatMap((message) => message ?? []).map(webhookMessageView)
    return items.length === 0 ? null : { id, told: items }
  }
}

const shown = <T>(found: T | null, view: (one: T) => object): object | null =>
  found === null ? null : view(found)
