import { parse } from '../../edge/http/parse.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route } from '../../edge/http/route.ts'
import { Fault, unlessRefused } from '../../faults.ts'
import type { FindBrandNeeds } from '../../operations/brands/find-brand.ts'
import { brandOrNotFound } from '../../operations/brands/find-brand.ts'
import { foreseeCharge, foreseeMethod } from '../../operations/subscriptions/foresee-charge.ts'
import { foreseeUpdate } from '../../operations/subscriptions/foresee-update.ts'
import type { ReadingNeeds } from '../../operations/subscriptions/read-subscription.ts'
import { readWhole } from '../../operations/subscriptions/read-subscription.ts'
import type { UpdateNeeds } from '../../operations/subscriptions/update-subscription.ts'
import type { Brands } from '../../parts/store/brands.ts'
import { brandHoldingsView } from '../../wire/brand.ts'
import { foreseenCharge, foreseenView } from '../../wire/console-subscription.ts'
import { demandedCharge, maySpendWallet, subscriptionCharge } from '../../wire/on-demand.ts'
import {
  methodProblem,
  paymentMethodUpdate,
  savedMethodIn,
} from '../../wire/payment-method-update.ts'
import { wantedPatch } from '../../wire/subscription-patch.ts'
import { subscriptionUpdate } from '../../wire/subscription-update.ts'
import { subscriptionView } from '../../wire/subscription-view.ts'

export type ForeseeingNeeds = UpdateNeeds &
  ReadingNeeds &
  FindBrandNeeds & { readonly brands: Pick<Brands, 'holdings'> }

/** What a change would do, before it is made. Nothing is stored, so a viewer may ask, too. */
export function foreseeingRoutes(needs: ForeseeingNeeds): readonly Route[] {
  return [
    route('POST', '/subscriptions/:id/preview', 'read', update),
    route('POST', '/subscriptions/:id/charge/preview', 'read', charge),
    route('POST', '/subscriptions/:id/update-payment-method/preview', 'read', method),
    route('GET', '/brands/:id/holdings', 'read', holdings),
  ]

  async function update(request: Request): Promise<Reply> {
    const { caller, at } = request
    const patch = unlessRefused(wantedPatch(parse(subscriptionUpdate, request.body), at))
    const wanted = { subscriptionId: request.param('id').slice(0, 255), patch }
    const { subscription, ...effects } = await foreseeUpdate(needs, caller, wanted)
    const { read, carts, meters } = await readWhole(needs, { scope: caller, subscription, at })
    return ok(foreseenView(subscriptionView(read, carts, meters), effects))
  }

  async function charge({ body, caller, param }: Request): Promise<Reply> {
    const wanted = parse(subscriptionCharge, body)
    const payment = await foreseeCharge(needs, caller, {
      ...demandedCharge(wanted),
      subscriptionId: param('id').slice(0, 255),
      spendsWallet: maySpendWallet(wanted),
    })
    return ok(foreseenCharge(payment))
  }

  async function method({ body, caller, param }: Request): Promise<Reply> {
    const wanted = parse(paymentMethodUpdate, body)
    const problem = methodProblem(wanted)
    if (problem !== null) throw new Fault('INVALID_REQUEST_BODY', problem)
    const subscriptionId = param('id').slice(0, 255)
    const paymentMethodId = savedMethodIn(wanted)
    const payment = await foreseeMethod(needs, caller, { subscriptionId, paymentMethodId })
    return ok({ charge: payment === null ? null : foreseenCharge(payment) })
  }

  /** The exact counts of what another brand would get if this one were archived. */
  async function holdings({ caller, param }: Request): Promise<Reply> {
    const { brandId } = await brandOrNotFound(needs, caller, param('id').slice(0, 255))
    return ok(brandHoldingsView(await needs.brands.holdings(caller, brandId)))
  }
}
