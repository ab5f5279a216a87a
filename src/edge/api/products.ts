import { orNotFound } from '../../faults.ts'
import type { GrantObjectNeeds } from '../../operations/entitlements/grant-objects.ts'
import { grantObjects } from '../../operations/entitlements/grant-objects.ts'
import type { ArchiveProduct } from '../../operations/products/archive-product.ts'
import { archiveProduct, unarchiveProduct } from '../../operations/products/archive-product.ts'
import type { CreateProduct } from '../../operations/products/create-product.ts'
import { createProduct } from '../../operations/products/create-product.ts'
import { productParts } from '../../operations/products/product-parts.ts'
import type { UpdateProduct } from '../../operations/products/update-product.ts'
import { updateProduct } from '../../operations/products/update-product.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import type { BroughtObjects, ProductPlace } from '../../wire/product.ts'
import { productListItem, productView } from '../../wire/product.ts'
import {
  productChange,
  productCreate,
  productUpdate,
  wantedProduct,
} from '../../wire/product-request.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseFlag, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import type { DownloadNeeds } from './base-url.ts'
import { downloadPlaceOf } from './base-url.ts'
import { parseText } from './parameters.ts'

export interface ProductNeeds
  extends CreateProduct,
    UpdateProduct,
    ArchiveProduct,
    DownloadNeeds,
    GrantObjectNeeds {
  readonly productEntitlements: GrantObjectNeeds['productEntitlements']
  readonly storedFiles: UpdateProduct['storedFiles']
  readonly products: Products
}

/** [resources#products] */
export function productRoutes(needs: ProductNeeds): readonly Route[] {
  const { products } = needs
  return [
    route('GET', '/products', 'read', list),
    route('POST', '/products', 'write', create),
    route('GET', '/products/:id', 'read', retrieve),
    route('PATCH', '/products/:id', 'write', update),
    route('DELETE', '/products/:id', 'write', archive),
    route('POST', '/products/:id/unarchive', 'write', unarchive, 'none'),
  ]

  function here(request: Request): ProductPlace {
    return downloadPlaceOf(request, needs)
  }

  function broughtOf({ caller }: Request, of: readonly Product[]): Promise<BroughtObjects> {
    const entitlementIds = of.flatMap((product) => product.entitlementIds)
    return grantObjects(needs, caller, { grants: [], entitlementIds })
  }

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const filter = {
      archived: parseFlag(request, 'archived') ?? false,
      brandId: parseText(request, 'brand_id'),
      recurring: parseFlag(request, 'recurring'),
    }
    const found = await products.list(caller, filter, parsePage(request))
    const { meters } = await productParts(needs, caller, found)
    const parts = { meters, ...(await broughtOf(request, found)) }
    return ok(page(found.map((product) => productListItem(here(request), product, parts))))
  }

  async function create(request: Request): Promise<Reply> {
    const { caller, body, at } = request
    const command = { wanted: wantedProduct(parse(productCreate, body)), at }
    const { product, parts } = await createProduct(needs, caller, command)
    const brought = await broughtOf(request, [product])
    return ok(productView(here(request), product, { ...parts, brought }))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const productId = idOf(request)
    const product = orNotFound(await products.get(request.caller, productId), 'product', productId)
    const parts = await productParts(needs, request.caller, [product])
    const brought = await broughtOf(request, [product])
    return ok(productView(here(request), product, { ...parts, brought }))
  }

  async function update(request: Request): Promise<Reply> {
    const change = productChange(parse(productUpdate, request.body))
    const command = { productId: idOf(request), change, at: request.at }
    await updateProduct(needs, request.caller, command)
    return noContent
  }

  async function archive(request: Request): Promise<Reply> {
    const target = { productId: idOf(request), at: request.at }
    await archiveProduct(needs, request.caller, target)
    return noContent
  }

  async function unarchive(request: Request): Promise<Reply> {
    const target = { productId: idOf(request), at: request.at }
    await unarchiveProduct(needs, request.caller, target)
    return noContent
  }
}

const idOf = (request: Request): string => parseId(request, 'id', 'product')
