import type { LogOrigin } from '../event-log/port.ts'

/**
 * What is pinned at the first start: where event ids are placed, and a key that makes their
 * fingerprints unguessable.
 */
export interface Installation {
  readonly installationId: string
  /** 16 bytes. */
  readonly fingerprintKey: Uint8Array
  readonly hashVersion: number
  /** How many partitions the event log has; null until it is pinned. */
  readonly partitions: number | null
  /** Where the event log goes on; null: it has been the same one from its first record. */
  readonly logOrigin: LogOrigin | null
}
