import { createHash } from 'node:crypto'

/**
 * A prefix for all keys of an installation, so that several installations can share a Redis. Short,
 * since every key begins with it.
 */
export const installationTag = (installation: string): string =>
  createHash('sha256').update(installation).digest('base64url').slice(0, 8)
