import type { SignedTokens } from '../../runtime/signed-token.ts'
import type { DownloadLinks } from '../../wire/download-link.ts'
import type { AnswerPlace } from '../../wire/image-address.ts'
import type { Request } from '../http/route.ts'

/**
 * The beginning of addresses in answers, up to the path: where the operator named none, the host
 * that the request was sent to. [requests#answers]
 */
export const baseUrlOf = (request: Request, publicUrl: string | null): string =>
  publicUrl ?? `http://${request.header('host') ?? 'localhost'}`

/** Where the answer to a caller is read. */
export const placeOf = (request: Request, publicUrl: string | null): AnswerPlace => ({
  businessId: request.caller.businessId,
  base: baseUrlOf(request, publicUrl),
})

export interface DownloadNeeds {
  /** The beginning of addresses in answers; null: the request's host. */
  readonly publicUrl: string | null
  /** Signs links to files. */
  readonly downloads: Pick<SignedTokens, 'sign'>
}

/** The same for an answer that leads to files. [entitlements#downloads] */
export const downloadPlaceOf = (
  request: Request,
  { downloads, publicUrl }: DownloadNeeds,
): AnswerPlace & DownloadLinks => ({
  ...placeOf(request, publicUrl),
  mode: request.caller.mode,
  at: request.at,
  signDownload: downloads.sign,
})
