import type { Instant } from '../../../std/instant.ts'

/** A short address of a product's static checkout. [resources#short-links] */
export interface ShortLink {
  /** As it was given; it is found in any case. */
  readonly slug: string
  readonly productId: string
  /** The query of the checkout's address, in its order. */
  readonly params: readonly (readonly [name: string, value: string])[]
  readonly createdAt: Instant
}

/** A short link as a caller asks for it. */
export type WantedShortLink = Pick<ShortLink, 'slug' | 'params'>

/** Where a slug leads: from the address of the host on, with all parameters. */
export function checkoutPath({ productId, params }: ShortLink): string {
  const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, value]))
  return `/buy/${productId}${query.size === 0 ? '' : `?${query}`}`
}

export const shortPath = ({ slug }: ShortLink): string => `/s/${slug}`
