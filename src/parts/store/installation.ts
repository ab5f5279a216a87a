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
}
