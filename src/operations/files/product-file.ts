import { Fault, orNotFound, refuse } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Files } from '../../parts/files/port.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Products } from '../../parts/store/products.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { disabledRejection } from '../../rules/commerce/catalog/brand.ts'
import type { StoredFile } from '../../rules/commerce/catalog/stored-file.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import type { Instant } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import type { FindBrandNeeds } from '../brands/find-brand.ts'
import { brandOrNotFound } from '../brands/find-brand.ts'
import type { KeepRowNeeds } from './keep-row.ts'
import { keepRow } from './keep-row.ts'
import { uploadFor } from './offer-image.ts'
import { storedFile } from './take-file.ts'

export interface OfferFileNeeds extends FindBrandNeeds {
  readonly products: Pick<Products, 'get'>
  readonly fileUploads: SignedTokens
  readonly newUuid: () => string
}

/** A file that is to be uploaded; the bearer of the token can, for a while. */
export interface OfferedFile {
  readonly fileId: string
  readonly token: string
}

/** @throws Fault 404; 409 for a product of an archived brand [entitlements#files-of-a-product] */
export async function offerFile(
  needs: OfferFileNeeds,
  scope: Scope,
  of: { readonly productId: string; readonly fileName: string; readonly at: Instant },
): Promise<OfferedFile> {
  const { at, fileName, productId } = of
  const product = orNotFound(await needs.products.get(scope, productId), 'product', productId)
  refuse(disabledRejection(await brandOrNotFound(needs, scope, product.brandId)))
  const fileId = needs.newUuid()
  const until = String(after(at, uploadFor))
  const parts = [scope.businessId, scope.mode, productId, fileId, fileName, until]
  return { fileId, token: needs.fileUploads.sign(parts) }
}

export interface TakeProductFileNeeds extends KeepRowNeeds {
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Clock
  readonly files: Pick<Files, 'keep'>
  readonly fileUploads: SignedTokens
}

/**
 * Keeps an uploaded file, which a product can then name. The same again changes nothing.
 *
 * @throws Fault 403 where the address was not given out, or no longer is; 409 where another file
 * came before; 413 [entitlements#files-of-a-product]
 */
export async function takeProductFile(
  needs: TakeProductFileNeeds,
  mode: Mode,
  of: {
    readonly token: string
    readonly mediaType: string
    readonly content: AsyncIterable<Uint8Array>
  },
): Promise<StoredFile> {
  const [businessId, tokenMode, productId, fileId, fileName, until] =
    needs.fileUploads.open(of.token) ?? []
  const isOurs = businessId !== undefined && productId !== undefined && fileId !== undefined
  if (!isOurs || fileName === undefined || tokenMode !== mode) {
    throw new Fault('FORBIDDEN', 'This is no address for an upload.')
  }
  const scope = { businessId, mode }
  const at = after(needs.clock.now(), await needs.businesses.clockAhead(scope))
  if (at >= Number(until)) {
    throw new Fault('FORBIDDEN', 'The time for this upload is over: ask for another.')
  }
  const kept = await needs.files.keep(bounded(of.content))
  const named = { fileId, ownerId: productId, mediaType: of.mediaType, fileName, at }
  return keepRow(needs, scope, { file: storedFile(kept, named), what: 'file' })
}

async function* bounded(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > limits.fileBytesMax) {
      const most = limits.fileBytesMax / 1024 ** 2
      throw new Fault('REQUEST_TOO_LARGE', `A file must be at most ${most} MiB.`)
    }
    yield piece
  }
}
