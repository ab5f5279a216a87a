import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Committed, Measured } from '../../measuring.ts'
import type { CustomerKey } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'

/** What commit_measured() answers. */
export interface CommitAnswer {
  readonly lost?: readonly {
    readonly partition: number
    readonly epoch: number
    readonly next_offset: number
    readonly halted: boolean
  }[]
  readonly catalogs?: readonly (readonly [string, Mode])[]
  readonly routes?: readonly (readonly [string, Mode, string])[]
}

export function committedOf(answer: CommitAnswer): Committed {
  if (answer.lost !== undefined) {
    const partitions = answer.lost.map(({ partition, epoch, next_offset, halted }) => ({
      partition,
      epoch,
      halted,
      nextOffset: next_offset,
    }))
    return { kind: 'lost', partitions }
  }
  if (answer.catalogs === undefined) return { kind: 'committed' }
  return {
    kind: 'stale',
    catalogs: answer.catalogs.map(([businessId, mode]) => ({ businessId, mode })),
    customers: (answer.routes ?? []).map(([businessId, mode, customerId]) => ({
      businessId,
      mode,
      customerId,
    })),
  }
}

export const customerJson = (key: CustomerKey) => ({
  business_id: key.businessId,
  mode: key.mode,
  customer_id: key.customerId,
})

export const catalogJson = (catalog: Measured['catalogs'][number]) => ({
  business_id: catalog.businessId,
  mode: catalog.mode,
  version: catalog.version,
})

export const slicesJson = ({ slices }: Measured): string =>
  JSON.stringify(
    slices.map((slice) => ({
      partition: slice.partition,
      epoch: slice.epoch,
      start_offset: slice.start,
      end_offset: slice.end,
      log_at: timestamptz(slice.logAt),
      ran: Math.floor(slice.ran),
      digest: slice.digest === null ? null : Buffer.from(slice.digest).toString('hex'),
      events: slice.events,
      billed: slice.billed,
      unmatched: slice.unmatched,
      duplicates: slice.duplicates,
      quarantined: slice.quarantined,
    })),
  )

export const quarantineJson = ({ quarantined }: Measured): string =>
  JSON.stringify(
    quarantined.map((record) => ({
      partition: record.partition,
      record_offset: record.offset,
      reason: record.reason,
      value: Buffer.from(record.value).toString('base64'),
      events: record.events,
    })),
  )
