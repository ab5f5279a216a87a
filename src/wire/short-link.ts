import { limits } from '../limits.ts'
import type { ShortLink, WantedShortLink } from '../rules/commerce/catalog/short-link.ts'
import { checkoutPath, shortPath } from '../rules/commerce/catalog/short-link.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { text } from './schemas.ts'

/** [resources#short-links] */
export interface ShortLinkCreate {
  readonly slug: string
  readonly static_checkout_params?: Readonly<Record<string, string>> | null
}

/** [resources#short-links] */
export interface ShortLinkView {
  readonly full_url: string
  readonly short_url: string
}

/** [resources#short-links] */
export interface ShortLinkListItem extends ShortLinkView {
  readonly product_id: string
  readonly created_at: string
}

export const shortLinkCreate = schema<ShortLinkCreate>({
  type: 'object',
  required: ['slug'],
  properties: {
    slug: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{3,64}$',
      description: '3 to 64 letters, digits, hyphens or underscores',
    },
    static_checkout_params: {
      type: ['object', 'null'],
      maxProperties: limits.metadataKeysMax,
      propertyNames: text(1, limits.metadataKeyMax),
      additionalProperties: text(0, limits.metadataValueMax),
    },
  },
})

/** The short link that a body asks for. */
export const wantedShortLink = (body: ShortLinkCreate): WantedShortLink => ({
  slug: body.slug,
  params: Object.entries(body.static_checkout_params ?? {}),
})

/** `base`: the beginning of all addresses, up to the path. */
export const shortLinkView = (base: string, link: ShortLink): ShortLinkView => ({
  full_url: `${base}${checkoutPath(link)}`,
  short_url: `${base}${shortPath(link)}`,
})

export const shortLinkListItem = (base: string, link: ShortLink): ShortLinkListItem => ({
  ...shortLinkView(base, link),
  product_id: link.productId,
  created_at: formatInstant(link.createdAt),
})
