import { orNotFound, refuse } from '../../faults.ts'
import type { Addons } from '../../parts/store/addons.ts'
import type { Collections } from '../../parts/store/collections.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { disabledRejection, fixedRejection } from '../../rules/commerce/catalog/brand.ts'
import { archivedCollectionRejection } from '../../rules/commerce/catalog/collection-rules.ts'
import type { ImageOwner } from '../../rules/commerce/catalog/image.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import type { Instant } from '../../std/instant.ts'
import { after, second } from '../../std/instant.ts'
import type { FindBrandNeeds } from '../brands/find-brand.ts'
import { brandOrNotFound } from '../brands/find-brand.ts'

/** How long an image may be uploaded after its address was given out. [resources#images] */
export const uploadFor = 60 * second

export interface OfferImageNeeds extends FindBrandNeeds {
  readonly addons: Pick<Addons, 'get'>
  readonly products: Pick<Products, 'get'>
  readonly collections: Pick<Collections, 'get'>
  readonly uploads: SignedTokens
  readonly newUuid: () => string
}

/** Whose image is to be uploaded. */
export interface ImageTarget {
  readonly owner: ImageOwner
  readonly ownerId: string
}

export interface OfferedImage {
  readonly imageId: string
  /** Its bearer can upload the one image, for a while. */
  readonly token: string
}

/** What a token of an upload says. */
export interface ImageUpload extends ImageTarget, Scope {
  readonly imageId: string
  readonly until: Instant
}

/**
 * @throws Fault 404 for the owner; and what a change of the owner would be refused with
 * [resources#images]
 */
export async function offerImage(
  needs: OfferImageNeeds,
  scope: Scope,
  { owner, ownerId, at }: ImageTarget & { readonly at: Instant },
): Promise<OfferedImage> {
  await refuseUnchangeable[owner](needs, scope, ownerId)
  const imageId = needs.newUuid()
  const until = after(at, uploadFor)
  return { imageId, token: tokenOf(needs.uploads, { ...scope, owner, ownerId, imageId, until }) }
}

const refuseUnchangeable: Readonly<
  Record<ImageOwner, (needs: OfferImageNeeds, scope: Scope, id: string) => Promise<void>>
> = {
  async product(needs, scope, id) {
    const { brandId } = orNotFound(await needs.products.get(scope, id), 'product', id)
    refuse(disabledRejection(await brandOrNotFound(needs, scope, brandId)))
  },
  async addon(needs, scope, id) {
    orNotFound(await needs.addons.get(scope, id), 'add-on', id)
  },
  async brand(needs, scope, id) {
    refuse(fixedRejection(await brandOrNotFound(needs, scope, id), scope.businessId))
  },
  async collection(needs, scope, id) {
    const found = orNotFound(await needs.collections.get(scope, id), 'product collection', id)
    refuse(archivedCollectionRejection(found))
  },
}

const tokenOf = (uploads: SignedTokens, upload: ImageUpload): string =>
  uploads.sign([
    upload.businessId,
    upload.mode,
    upload.owner,
    upload.ownerId,
    upload.imageId,
    String(upload.until),
  ])

/** What a token says; null: it is none of ours. */
export function uploadOf(uploads: SignedTokens, token: string): ImageUpload | null {
  const [businessId, mode, owner, ownerId, imageId, until] = uploads.open(token) ?? []
  if (businessId === undefined || ownerId === undefined || imageId === undefined) return null
  return {
    businessId,
    mode: mode as Scope['mode'],
    owner: owner as ImageOwner,
    ownerId,
    imageId,
    until: Number(until) as Instant,
  }
}
