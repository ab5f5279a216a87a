import { parseId } from '../../edge/http/path-id.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { noContent, route } from '../../edge/http/route.ts'
import { notFound } from '../../faults.ts'
import type { OfferImageNeeds } from '../../operations/files/offer-image.ts'
import { offerImage } from '../../operations/files/offer-image.ts'
import type { TakeImageNeeds } from '../../operations/files/take-image.ts'
import { takeImage } from '../../operations/files/take-image.ts'
import type { Files } from '../../parts/files/port.ts'
import type { StoredFiles } from '../../parts/store/stored-files.ts'
import { imageOwners } from '../../rules/commerce/catalog/image.ts'

export type ConsoleImageNeeds = OfferImageNeeds &
  TakeImageNeeds & {
    readonly files: Pick<Files, 'read'>
    readonly storedFiles: Pick<StoredFiles, 'get'>
  }

/**
 * Images as the console shows and takes them: of either mode on the host that it is served on,
 * where the API's own addresses are of the mode of their host. [resources#images]
 */
export function consoleImageRoutes(needs: ConsoleImageNeeds): readonly Route[] {
  return [
    route('GET', '/images/:id', 'read', show),
    route('PUT', '/images/:owner/:id', 'write', take, 'bytes'),
  ]

  async function show({ caller, param }: Request): Promise<Reply> {
    const imageId = param('id').slice(0, 255)
    const found = await needs.storedFiles.get(caller, imageId)
    if (found?.kind !== 'image' || found.deletedAt !== null) throw notFound('image', imageId)
    const { digest, bytes, mediaType } = found
    const headers = {
      'Content-Type': mediaType,
      'Cache-Control': 'private, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    }
    return { status: 200, content: { bytes, open: () => needs.files.read(digest) }, headers }
  }

  /** The offer and the upload of the API in one, since only this page uses the address. */
  async function take(request: Request): Promise<Reply> {
    const { at, caller } = request
    const owner = imageOwners.find((each) => each === request.param('owner'))
    if (owner === undefined) throw notFound('route', request.path)
    const ownerId = parseId(request, 'id', owner)
    const { token } = await offerImage(needs, caller, { owner, ownerId, at })
    await takeImage(needs, caller.mode, { token, bytes: request.body as Uint8Array })
    return noContent
  }
}
