/**
 * What is pinned once, at the first start: it places event ids and makes fingerprints unguessable.
 */
export interface Installation {
  readonly installationId: string
  /** 16 bytes. */
  readonly fingerprintKey: Uint8Array
  readonly hashVersion: number
  /** How many partitions the event log has; null until it is pinned. */
  readonly partitions: number | null
}
