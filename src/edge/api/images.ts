import { notFound } from '../../faults.ts'
import type { OfferImageNeeds } from '../../operations/files/offer-image.ts'
import { offerImage } from '../../operations/files/offer-image.ts'
import type { TakeImageNeeds } from '../../operations/files/take-image.ts'
import { takeImage } from '../../operations/files/take-image.ts'
import type { Files } from '../../parts/files/port.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import type { ImageOwner } from '../../rules/commerce/catalog/image.ts'
import { imageOfferView, productImageOfferView, uploadedImageView } from '../../wire/image.ts'
import { unlessKnown } from '../http/etag.ts'
import { parseFlag } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'

export interface ImageRouteNeeds extends OfferImageNeeds {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

const what: Readonly<Record<ImageOwner, string>> = {
  product: 'product',
  brand: 'brand',
  addon: 'add-on',
  collection: 'product collection',
}

/** [resources#images] */
export function imageRoutes(needs: ImageRouteNeeds): readonly Route[] {
  return [
    route('PUT', '/products/:id/images', 'write', offerMaybeNamed('product'), 'none'),
    route('PUT', '/brands/:id/images', 'write', offer('brand'), 'none'),
    route('PUT', '/addons/:id/images', 'write', offer('addon'), 'none'),
    route('PUT', '/product-collections/:id/images', 'write', offerMaybeNamed('collection'), 'none'),
  ]

  function offer(owner: ImageOwner): Route['handler'] {
    return async (request) => ok(imageOfferView(await offered(request, owner)))
  }

  function offerMaybeNamed(owner: ImageOwner): Route['handler'] {
    return async (request) => {
      const isNamed = parseFlag(request, 'force_update') ?? false
      return ok(productImageOfferView(await offered(request, owner), isNamed))
    }
  }

  async function offered(request: Request, owner: ImageOwner) {
    const ownerId = parseId(request, 'id', what[owner])
    const { caller, at } = request
    const { imageId, token } = await offerImage(needs, caller, { owner, ownerId, at })
    const url = `${baseUrlOf(request, needs.publicUrl)}/images/uploads/${token}`
    return { imageId, url }
  }
}

export type ImagePageNeeds = TakeImageNeeds & {
  readonly files: Files
  readonly storedFiles: StoredFiles
  readonly publicUrl: string | null
}

/** The routes of addresses that open without a key: uploads, and images. [resources#images] */
export function imagePages(needs: ImagePageNeeds): readonly Route[] {
  const upload = async (request: Request): Promise<Reply> => {
    const bytes = request.body as Uint8Array
    const taken = await takeImage(needs, request.mode, { token: request.param('token'), bytes })
    const base = baseUrlOf(request, needs.publicUrl)
    return ok(uploadedImageView(base, taken.fileId))
  }
  return [
    route('PUT', '/images/uploads/:token', 'public', upload, 'bytes'),
    route('POST', '/images/uploads/:token', 'public', upload, 'bytes'),
    // Pages show it: it counts among what people look at. [requests#limits]
    { ...route('GET', '/images/:id', 'public', show), isPage: true },
  ]

  async function show(request: Request): Promise<Reply> {
    const imageId = parseId(request, 'id', 'image')
    const found = await needs.storedFiles.find(request.mode, imageId)
    if (found?.kind !== 'image' || found.deletedAt !== null) throw notFound('image', imageId)
    const headers = headersOf(found.mediaType, found.digest)
    const { digest, bytes } = found
    const content = { bytes, open: () => needs.files.read(digest) }
    return unlessKnown(request, { status: 200, content, headers })
  }
}

/** An image never changes under its address, is never a page, and may stand in pages of others. */
const headersOf = (mediaType: string, digest: string) => ({
  'Content-Type': mediaType,
  'Cache-Control': 'public, max-age=31536000, immutable',
  ETag: `"${digest.slice(0, 32)}"`,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
})
