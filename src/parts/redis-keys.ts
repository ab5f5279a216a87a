import { createHash } from 'node:crypto'

/**
 * Stands for an installation in front of every key of it: one never sees another's keys in the
 * same Redis. Short, as it stands there so often.
 */
export const installationTag = (installation: string): string =>
  createHash('sha256').update(installation).digest('base64url').slice(0, 8)
