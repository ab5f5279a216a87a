import type { Instant } from '../../../std/instant.ts'

/** What is known of an image or a file; what it holds is kept under its digest. */
export interface StoredFile {
  /** A UUID, which nobody can guess. */
  readonly fileId: string
  readonly kind: 'image' | 'digital'
  /** The product, brand, add-on, collection or entitlement that it was uploaded for. */
  readonly ownerId: string
  /** SHA-256, hexadecimal. */
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string
  /** As its uploader called it; images have none. */
  readonly fileName: string | null
  readonly createdAt: Instant
  /** Null: it can be had. */
  readonly deletedAt: Instant | null
}
