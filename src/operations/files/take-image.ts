import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Files } from '../../parts/files/port.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { ImageOwner } from '../../rules/commerce/catalog/image.ts'
import { imageTypeOf } from '../../rules/commerce/catalog/image.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { UpdateAddon } from '../addons/update-addon.ts'
import { updateAddon } from '../addons/update-addon.ts'
import type { UpdateBrand } from '../brands/update-brand.ts'
import { updateBrand } from '../brands/update-brand.ts'
import type { CollectionNeeds } from '../collections/change-collection.ts'
import { updateCollection } from '../collections/update-collection.ts'
import type { UpdateProduct } from '../products/update-product.ts'
import { updateProduct } from '../products/update-product.ts'
import type { KeepRowNeeds } from './keep-row.ts'
import { keepRow } from './keep-row.ts'
import type { ImageUpload } from './offer-image.ts'
import { uploadOf } from './offer-image.ts'

export type TakeImageNeeds = UpdateAddon &
  UpdateBrand &
  UpdateProduct &
  CollectionNeeds &
  KeepRowNeeds & {
    readonly businesses: Pick<Businesses, 'clockAhead'>
    readonly clock: Clock
    readonly files: Pick<Files, 'keep'>
    readonly uploads: SignedTokens
  }

/**
 * Keeps an uploaded image, and makes it the image of what it was uploaded for. The same again
 * changes nothing.
 *
 * @throws Fault 403 where the address was not given out for this, or no longer is; 409 where
 * another image came before; 413, 415 for its size and kind; and what a change of its owner is
 * refused with [resources#images]
 */
export async function takeImage(
  needs: TakeImageNeeds,
  mode: Mode,
  { token, bytes }: { readonly token: string; readonly bytes: Uint8Array },
): Promise<StoredFile> {
  const upload = uploadOf(needs.uploads, token)
  if (upload === null || upload.mode !== mode) throw noUpload('This is no address for an upload.')
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(upload))
  if (at >= upload.until) throw noUpload('The time for this upload is over: ask for another.')
  if (bytes.length > limits.imageBytesMax) {
    const most = limits.imageBytesMax / 1024 ** 2
    throw new Fault('REQUEST_TOO_LARGE', `An image must be at most ${most} MiB.`)
  }
  const mediaType = imageTypeOf(bytes)
  if (mediaType === null) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'An image must be a whole PNG, JPEG or WebP.')
  }
  const file = await kept(needs, upload, { bytes, mediaType, at })
  await attach[upload.owner](needs, upload, at)
  return file
}

const noUpload = (problem: string): Fault => new Fault('FORBIDDEN', problem)

async function kept(
  needs: TakeImageNeeds,
  upload: ImageUpload,
  { bytes, mediaType, at }: { bytes: Uint8Array; mediaType: string; at: Instant },
): Promise<StoredFile> {
  const { digest } = await needs.files.keep(inOne(bytes))
  const file: StoredFile = {
    fileId: upload.imageId,
    kind: 'image',
    ownerId: upload.ownerId,
    digest,
    bytes: bytes.length,
    mediaType,
    fileName: null,
    createdAt: at,
    deletedAt: null,
  }
  return keepRow(needs, upload, { file, what: 'image' })
}

async function* inOne(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

type Attach = (needs: TakeImageNeeds, upload: ImageUpload, at: Instant) => Promise<unknown>

const attach: Readonly<Record<ImageOwner, Attach>> = {
  product: (needs, upload, at) =>
    updateProduct(needs, scopeOf(upload), {
      productId: upload.ownerId,
      change: { imageId: upload.imageId },
      at,
    }),
  addon: (needs, upload, at) =>
    updateAddon(needs, scopeOf(upload), {
      addonId: upload.ownerId,
      change: { imageId: upload.imageId },
      at,
    }),
  brand: (needs, upload, at) =>
    updateBrand(needs, scopeOf(upload), {
      brandId: upload.ownerId,
      change: { imageId: upload.imageId },
      at,
    }),
  collection: (needs, upload, at) =>
    updateCollection(needs, scopeOf(upload), {
      collectionId: upload.ownerId,
      change: { imageId: upload.imageId, planChanges: {} },
      at,
    }),
}

const scopeOf = ({ businessId, mode }: ImageUpload) => ({ businessId, mode })
