import { limits } from '../limits.ts'
import type { StoredFile } from '../rules/commerce/catalog/stored-file.ts'
import type { Mode } from '../rules/meter/meter.ts'
import type { Instant } from '../std/instant.ts'
import { after, second } from '../std/instant.ts'

/** For which the tokens of links are signed. */
export const downloadLinkPurpose = 'file download'

/** Where files are found, whose they are, and who signs their links. */
export interface DownloadLinks {
  /** Up to the path; null: nobody knows the address under which the server is reached. */
  readonly base: string | null
  readonly businessId: string
  readonly mode: Mode
  /** The business's time, from which links live. */
  readonly at: Instant
  readonly signDownload: (parts: readonly string[]) => string
}

/** Through what a file is had: when it ends, or lets go of the file, the link is dead. */
export interface FileHolder {
  readonly kind: 'entitlement' | 'grant'
  readonly id: string
}

/** A file that can be downloaded, for a while. [entitlements#downloads] */
export interface DeliveredFileView {
  readonly file_id: string
  readonly filename: string
  readonly content_type: string | null
  readonly file_size: number | null
  readonly download_url: string
  readonly expires_in: number
}

/** [entitlements#downloads] */
export interface DeliveryView {
  readonly files: readonly DeliveredFileView[]
  readonly external_url: string | null
  readonly instructions: string | null
}

export const deliveredFileView = (
  links: DownloadLinks,
  holder: FileHolder,
  file: StoredFile,
): DeliveredFileView => ({
  file_id: file.fileId,
  filename: file.fileName ?? file.fileId,
  content_type: file.mediaType,
  file_size: file.bytes,
  download_url: downloadUrl(links, holder, file.fileId),
  expires_in: limits.downloadFor / second,
})

export function downloadUrl(links: DownloadLinks, holder: FileHolder, fileId: string): string {
  const { at, base, businessId, mode, signDownload } = links
  const until = String(after(at, limits.downloadFor))
  const parts = [businessId, mode, holder.kind, holder.id, fileId, until]
  return `${base ?? ''}/files/${signDownload(parts)}`
}
