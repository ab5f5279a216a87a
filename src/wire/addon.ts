import { limits } from '../limits.ts'
import type { Addon, AddonChange, WantedAddon } from '../rules/commerce/catalog/addon.ts'
import { defined } from '../std/defined.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { Currency, TaxCategory } from './enums.ts'
import { currencies, taxCategories } from './enums.ts'
import type { AnswerPlace } from './image-address.ts'
import { imageAddress } from './image-address.ts'
import { imageId, money, nullable, oneOf, text } from './schemas.ts'

/** [resources#add-ons] */
export interface AddonCreate {
  readonly name: string
  readonly price: number
  readonly currency: Currency
  readonly tax_category: TaxCategory
  readonly description?: string | null
}

/** Null clears the description, and keeps what cannot be empty. [requests#nulls] */
export interface AddonUpdate {
  readonly name?: string | null
  readonly price?: number | null
  readonly currency?: Currency | null
  readonly tax_category?: TaxCategory | null
  readonly description?: string | null
  readonly image_id?: string | null
}

/** [resources#add-ons] */
export interface AddonView {
  readonly id: string
  readonly business_id: string
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly price: number
  readonly currency: Currency
  readonly tax_category: TaxCategory
  readonly created_at: string
  readonly updated_at: string
}

const name = text(1, limits.productNameMax)
const description = nullable(text(0, limits.descriptionMax))

export const addonCreate = schema<AddonCreate>({
  type: 'object',
  required: ['name', 'price', 'currency', 'tax_category'],
  properties: {
    name,
    price: money,
    currency: oneOf(currencies),
    tax_category: oneOf(taxCategories),
    description,
  },
})

export const addonUpdate = schema<AddonUpdate>({
  type: 'object',
  properties: {
    name: nullable(name),
    price: nullable(money),
    currency: nullable(oneOf(currencies)),
    tax_category: nullable(oneOf(taxCategories)),
    description,
    image_id: imageId,
  },
})

/** The add-on that a body asks for. */
export const wantedAddon = (body: AddonCreate): WantedAddon => ({
  name: body.name,
  description: body.description ?? null,
  price: body.price,
  currency: body.currency,
  taxCategory: body.tax_category,
  imageId: null,
})

export const addonChange = (body: AddonUpdate): AddonChange =>
  defined({
    name: body.name ?? undefined,
    description: body.description,
    price: body.price ?? undefined,
    currency: body.currency ?? undefined,
    taxCategory: body.tax_category ?? undefined,
    imageId: body.image_id,
  })

export const addonView = ({ base, businessId }: AnswerPlace, addon: Addon): AddonView => ({
  id: addon.addonId,
  business_id: businessId,
  name: addon.name,
  description: addon.description,
  image: imageAddress(base, addon.imageId),
  price: addon.price,
  currency: addon.currency,
  tax_category: addon.taxCategory,
  created_at: formatInstant(addon.createdAt),
  updated_at: formatInstant(addon.updatedAt),
})
