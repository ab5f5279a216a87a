import type { AttemptRecord, ClaimedDelivery, Deliveries } from '../../parts/store/deliveries.ts'

/** Attempts that have ended and are not written down yet. */
export interface Results {
  finished(record: AttemptRecord): void

  /** The attempt counts as never made: its delivery is due again at once. */
  brokenOff(claim: ClaimedDelivery): void

  /**
   * Writes everything down in one statement of each kind. When it throws, everything is kept for
   * the next time.
   */
  writeDown(): Promise<void>
}

/**
 * Many attempts share a write; one round trip each would bound deliveries by the store's latency.
 */
export function openResults(
  deliveries: Pick<Deliveries, 'record' | 'release'>,
  written: (record: AttemptRecord) => void,
): Results {
  let records: AttemptRecord[] = []
  let claims: ClaimedDelivery[] = []
  return {
    finished: (record) => records.push(record),
    brokenOff: (claim) => claims.push(claim),
    writeDown,
  }

  async function writeDown(): Promise<void> {
    const [ended, freed] = [records, claims]
    records = []
    claims = []
    try {
      if (ended.length > 0) await deliveries.record(ended)
    } catch (error) {
      records = [...ended, ...records]
      claims = [...freed, ...claims]
      throw error
    }
    for (const record of ended) written(record)
    try {
      if (freed.length > 0) await deliveries.release(freed)
    } catch (error) {
      claims = [...freed, ...claims]
      throw error
    }
  }
}
