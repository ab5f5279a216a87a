import { limits } from '../limits.ts'
import type {
  Brand,
  BrandArchive,
  BrandChange,
  BrandTexts,
  MovedCounts,
} from '../rules/commerce/catalog/brand.ts'
import { defined } from '../std/defined.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { email } from './customer.ts'
import type { AnswerPlace } from './image-address.ts'
import { imageAddress } from './image-address.ts'
import { id, imageId, nullable, text } from './schemas.ts'

/** [resources#brands] */
export interface BrandCreate {
  readonly name?: string | null
  readonly description?: string | null
  readonly url?: string | null
  readonly support_email?: string | null
  readonly statement_descriptor?: string | null
}

/** Null clears a field. [requests#nulls] */
export interface BrandUpdate extends BrandCreate {
  readonly image_id?: string | null
}

/** [resources#brands] */
export interface BrandArchiveBody {
  readonly move_products_to?: string | null
}

/** [resources#brands] */
export interface BrandView {
  readonly brand_id: string
  readonly business_id: string
  readonly name: string | null
  readonly description: string | null
  readonly url: string | null
  readonly support_email: string | null
  readonly statement_descriptor: string
  readonly image: string | null
  readonly enabled: boolean
  readonly verification_enabled: boolean
  readonly verification_status: (typeof verificationStatuses)[number]
  readonly reason_for_hold: null
  readonly archived_at: string | null
}

/** [resources#brands] */
export interface BrandArchiveView {
  readonly brand_id: string
  readonly archived_at: string
  readonly products_moved: number
  readonly subscriptions_moved: number
  readonly collections_moved: number
  readonly moved_to_brand_id: string | null
}

/** [resources#names-of-choices] */
export const verificationStatuses = ['Success', 'Fail', 'Review', 'Hold'] as const

const texts = {
  name: nullable(text(1, limits.nameMax)),
  description: nullable(text(0, limits.descriptionMax)),
  url: nullable(text(1, limits.urlMax)),
  support_email: nullable(email),
  statement_descriptor: nullable(text(1, limits.nameMax)),
}

export const brandCreate = schema<BrandCreate>({ type: 'object', properties: texts })

export const brandUpdate = schema<BrandUpdate>({
  type: 'object',
  properties: { ...texts, image_id: imageId },
})

export const brandArchive = schema<BrandArchiveBody>({
  type: 'object',
  properties: { move_products_to: nullable(id) },
})

/** The brand that is to get everything; null: none is named. */
export const archiveTarget = (body: BrandArchiveBody): string | null =>
  body.move_products_to ?? null

/** The brand that a body asks for. */
export const wantedBrand = (body: BrandCreate): BrandTexts => ({
  name: body.name ?? null,
  description: body.description ?? null,
  url: body.url ?? null,
  supportEmail: body.support_email ?? null,
  statementDescriptor: body.statement_descriptor ?? null,
  imageId: null,
})

export const brandChange = (body: BrandUpdate): BrandChange =>
  defined({
    name: body.name,
    description: body.description,
    url: body.url,
    supportEmail: body.support_email,
    statementDescriptor: body.statement_descriptor,
    imageId: body.image_id,
  })

/** Nobody verifies brands: the operator knows the business. */
export const brandView = ({ base, businessId }: AnswerPlace, brand: Brand): BrandView => ({
  brand_id: brand.brandId,
  business_id: businessId,
  name: brand.name,
  description: brand.description,
  url: brand.url,
  support_email: brand.supportEmail,
  statement_descriptor: brand.statementDescriptor ?? brand.name ?? '',
  image: imageAddress(base, brand.imageId),
  enabled: brand.archived === null,
  verification_enabled: false,
  verification_status: 'Success',
  reason_for_hold: null,
  archived_at: brand.archived === null ? null : formatInstant(brand.archived.at),
})

/** What a brand would give away. */
export const brandHoldingsView = ({ products, subscriptions, collections }: MovedCounts) => ({
  products,
  subscriptions,
  collections,
})

export const brandArchiveView = (
  brandId: string,
  archived: BrandArchive,
  moved: MovedCounts,
): BrandArchiveView => ({
  brand_id: brandId,
  archived_at: formatInstant(archived.at),
  products_moved: moved.products,
  subscriptions_moved: moved.subscriptions,
  collections_moved: moved.collections,
  moved_to_brand_id: archived.movedTo,
})
