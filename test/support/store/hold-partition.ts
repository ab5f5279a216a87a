import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { ScratchStore } from './scratch-store.ts'

/** Takes a partition, in the epoch that slices of `sliceOf` have, whichever the store draws. */
export async function holdPartition(
  { db, measuring }: Pick<ScratchStore, 'db' | 'measuring'>,
  partition: number,
  logIdentity = 'log',
): Promise<void> {
  await measuring.take(partition, logIdentity, 'ns')
  await db.query(sql`update checkpoints set epoch = 1 where partition = ${partition}`)
}
