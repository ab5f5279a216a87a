import type { BlockKey } from '../../archive.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'

/** Keys of blocks, as a list for `(log_at, block_id) in (…)`. */
export const keyList = (keys: readonly BlockKey[]): Statement =>
  joined(
    keys.map((key) => sql`(${timestamptz(key.logAt)}::timestamptz, ${key.blockId}::bigint)`),
    ', ',
  )
