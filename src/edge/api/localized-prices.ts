import type {
  LocalizedPriceNeeds,
  PriceTarget,
} from '../../operations/products/localized-prices.ts'
import {
  archiveLocalizedPrice,
  createLocalizedPrice,
  findLocalizedPrice,
  listLocalizedPrices,
  updateLocalizedPrice,
} from '../../operations/products/localized-prices.ts'
import {
  localizedPriceCreate,
  localizedPriceUpdate,
  localizedPriceView,
  wantedLocalizedPrice,
} from '../../wire/localized-price.ts'
import { page } from '../../wire/schemas.ts'
import { parse } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { created, noContent, ok, route } from '../http/route.ts'

/** [resources#localized-prices] */
export function localizedPriceRoutes(needs: LocalizedPriceNeeds): readonly Route[] {
  const all = '/products/:product_id/localized-prices'
  return [
    route('GET', all, 'read', list),
    route('POST', all, 'write', create),
    route('GET', `${all}/:id`, 'read', retrieve),
    route('PATCH', `${all}/:id`, 'write', update),
    route('DELETE', `${all}/:id`, 'write', archive),
  ]

  async function list(request: Request): Promise<Reply> {
    const found = await listLocalizedPrices(needs, request.caller, productOf(request))
    return ok(page(found.map(localizedPriceView)))
  }

  async function create(request: Request): Promise<Reply> {
    const wanted = wantedLocalizedPrice(parse(localizedPriceCreate, request.body))
    const command = { productId: productOf(request), wanted, at: request.at }
    return created(localizedPriceView(await createLocalizedPrice(needs, request.caller, command)))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const found = await findLocalizedPrice(needs, request.caller, targetOf(request))
    return ok(localizedPriceView(found))
  }

  async function update(request: Request): Promise<Reply> {
    const { amount = null } = parse(localizedPriceUpdate, request.body)
    const command = { ...targetOf(request), amount, at: request.at }
    return ok(localizedPriceView(await updateLocalizedPrice(needs, request.caller, command)))
  }

  async function archive(request: Request): Promise<Reply> {
    await archiveLocalizedPrice(needs, request.caller, { ...targetOf(request), at: request.at })
    return noContent
  }
}

const productOf = (request: Request): string => parseId(request, 'product_id', 'product')

const targetOf = (request: Request): PriceTarget => ({
  productId: productOf(request),
  id: parseId(request, 'id', 'localized price'),
})
