import { Fault, notFound, refuse } from '../../faults.ts'
import type { CreditEntitlements } from '../../parts/store/credit-entitlements.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { metadataRejection } from '../../rules/commerce/catalog/metadata.ts'
import type { Product } from '../../rules/commerce/catalog/product.ts'
import { productRejection } from '../../rules/commerce/catalog/product-rules.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { creditMappingOf } from '../../wire/credit-mapping.ts'
import { priceOf } from '../../wire/price.ts'
import type { ProductCreate, ProductParts } from '../../wire/product.ts'
import { productParts } from './product-parts.ts'

export interface CreateProduct {
  readonly products: Products
  readonly meters: Meters
  readonly creditEntitlements: CreditEntitlements
  readonly newId: NewId
}

export interface CreatedProduct {
  readonly product: Product
  readonly parts: ProductParts
}

/**
 * 404, 410 and 422 by [resources#products, resources#prices, resources#attached-credits]; credits
 * and meters that it names must live.
 */
export async function createProduct(
  needs: CreateProduct,
  scope: Scope,
  { body, at }: { readonly body: ProductCreate; readonly at: Instant },
): Promise<CreatedProduct> {
  refuseUnknown(body, scope)
  const product: Product = {
    productId: needs.newId('pdt'),
    brandId: scope.businessId,
    name: body.name,
    description: body.description ?? null,
    taxCategory: body.tax_category,
    price: priceOf(body.price),
    creditEntitlements: (body.credit_entitlements ?? []).map((mapping) =>
      creditMappingOf(needs.newId('cem'), mapping),
    ),
    metadata: body.metadata ?? {},
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  const parts = await productParts(needs, scope, [product])
  const { price, creditEntitlements: mappings } = product
  refuse(productRejection({ price, mappings, ...parts }))
  refuseUnsupported(body)
  refuse(metadataRejection(product.metadata))

  await needs.products.insert(scope, product)
  return { product, parts }
}

/** The primary brand is the only one, and there are no add-ons or product entitlements to name. */
function refuseUnknown(body: ProductCreate, { businessId }: Scope): void {
  const { brand_id: brandId } = body
  if ((brandId ?? businessId) !== businessId) throw notFound('brand', brandId ?? '')
  const [addon] = body.addons ?? []
  if (addon !== undefined) throw notFound('add-on', addon)
  const [attached] = body.entitlements ?? []
  if (attached !== undefined) throw notFound('entitlement', attached.entitlement_id)
}

/** Refused rather than ignored: a seller must not believe that buyers get what nobody delivers. */
function refuseUnsupported(body: ProductCreate): void {
  const { external_url: url, instructions } = body.digital_product_delivery ?? {}
  const asked = {
    digital_product_delivery: (url ?? instructions ?? null) !== null,
    license_key_activation_message: (body.license_key_activation_message ?? null) !== null,
    license_key_activations_limit: (body.license_key_activations_limit ?? null) !== null,
    license_key_duration: (body.license_key_duration ?? null) !== null,
    license_key_enabled: body.license_key_enabled ?? false,
    pricing_mode: (body.pricing_mode ?? null) !== null,
  }
  for (const [field, isAsked] of Object.entries(asked)) {
    if (!isAsked) continue
    throw new Fault('UNSUPPORTED_ACTION', `${field} is not supported yet: leave it out.`)
  }
}
