import type { OfferFileNeeds } from '../../operations/files/product-file.ts'
import { offerFile } from '../../operations/files/product-file.ts'
import { offeredName, productFileOffer, productFileOfferView } from '../../wire/product-file.ts'
import { parse } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'
import { baseUrlOf } from './base-url.ts'

export interface ProductFileNeeds extends OfferFileNeeds {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
}

/** [entitlements#files-of-a-product] */
export const productFileRoutes = (needs: ProductFileNeeds): readonly Route[] => [
  route('PUT', '/products/:id/files', 'write', async (request: Request) => {
    const fileName = offeredName(parse(productFileOffer, request.body))
    const productId = parseId(request, 'id', 'product')
    const wanted = { productId, fileName, at: request.at }
    const { fileId, token } = await offerFile(needs, request.caller, wanted)
    const url = `${baseUrlOf(request, needs.publicUrl)}/files/uploads/${token}`
    return ok(productFileOfferView(fileId, url))
  }),
]
