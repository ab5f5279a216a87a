import { limits } from '../limits.ts'
import { schema } from '../std/schema.ts'
import { text } from './schemas.ts'

/** [entitlements#files-of-a-product] */
export const productFileOffer = schema<{ readonly file_name: string }>({
  type: 'object',
  required: ['file_name'],
  properties: { file_name: text(1, limits.fileNameMax) },
})

/** Where a file is to be put, without a key, and what it is called then. */
export interface ProductFileOfferView {
  readonly file_id: string
  readonly url: string
}

/** A file that was uploaded. [entitlements#downloads] */
export interface FileUploadView {
  readonly file_id: string
}

/** The name that a body gives a file. */
export const offeredName = (body: { readonly file_name: string }): string => body.file_name

export const productFileOfferView = (fileId: string, url: string): ProductFileOfferView => ({
  file_id: fileId,
  url,
})

export const fileUploadView = (fileId: string): FileUploadView => ({ file_id: fileId })
