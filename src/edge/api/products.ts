import { orNotFound } from '../../faults.ts'
import type { ArchiveProduct } from '../../operations/products/archive-product.ts'
import { archiveProduct, unarchiveProduct } from '../../operations/products/archive-product.ts'
import type { CreateProduct } from '../../operations/products/create-product.ts'
import { createProduct } from '../../operations/products/create-product.ts'
import { productParts } from '../../operations/products/product-parts.ts'
import type { UpdateProduct } from '../../operations/products/update-product.ts'
import { updateProduct } from '../../operations/products/update-product.ts'
import type { Products } from '../../parts/store/products.ts'
import { productListItem, productView } from '../../wire/product.ts'
import {
  productChange,
  productCreate,
  productUpdate,
  wantedProduct,
} from '../../wire/product-request.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseFlag, parsePage } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { noContent, ok, route } from '../http/route.ts'
import { parseId, parseText } from './parameters.ts'

export interface ProductNeeds extends CreateProduct, UpdateProduct, ArchiveProduct {
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

  async function list(request: Request): Promise<Reply> {
    const { caller } = request
    const filter = {
      archived: parseFlag(request, 'archived') ?? false,
      brandId: parseText(request, 'brand_id'),
      recurring: parseFlag(request, 'recurring'),
    }
    const found = await products.list(caller, filter, parsePage(request))
    const { meters } = await productParts(needs, caller, found)
    return ok(page(found.map((product) => productListItem(caller.businessId, product, meters))))
  }

  async function create({ caller, body, at }: Request): Promise<Reply> {
    const command = { wanted: wantedProduct(parse(productCreate, body)), at }
    const { product, parts } = await createProduct(needs, caller, command)
    return ok(productView(caller.businessId, product, parts))
  }

  async function retrieve(request: Request): Promise<Reply> {
    const productId = idOf(request)
    const product = orNotFound(await products.get(request.caller, productId), 'product', productId)
    const parts = await productParts(needs, request.caller, [product])
    return ok(productView(request.caller.businessId, product, parts))
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
