import { byteBudget } from '../../../src/edge/http/budget.ts'
import { knownCustomers } from '../../../src/edge/ingest/customers.ts'
import type { ingestRoute } from '../../../src/edge/ingest/ingest.ts'
import { packer } from '../../../src/edge/ingest/packer.ts'
import { createFingerprinter, partitionOf } from '../../../src/std/fingerprint.ts'
import { instantOfMs } from '../../../src/std/instant.ts'

/**
 * Everything that the ingest route needs, at no cost: nothing is kept, and nothing was seen before.
 * An append ends when `appended` does; absent: at once.
 */
export function ingestNeeds(
  appended: () => Promise<void> = () => Promise.resolve(),
): Parameters<typeof ingestRoute>[0] {
  const partitions = 16
  let offset = 0
  const log = {
    partitions,
    identity: 'log.1',
    async append(records: readonly unknown[]) {
      await appended()
      return records.map(() => (offset += 1))
    },
    close: () => Promise.resolve(),
  }
  const nothing = (): void => undefined
  const clock = {
    now: () => instantOfMs(Math.floor(performance.timeOrigin + performance.now())),
  }
  const { identities, prefixOf } = createFingerprinter(new Uint8Array(16).fill(7))
  return {
    log,
    packer: packer({ log, budget: byteBudget(2 ** 30), clock, appended: nothing }),
    dedupe: {
      known: async (_partition, _namespace, ids) => new Uint8Array(ids.length / 3),
      reached: async (of) => of.map(() => 0),
      close: () => Promise.resolve(),
    },
    namespaceOf: () => 'n1',
    fingerprinter: { identities, prefixOf, partitionOf },
    customers: knownCustomers({ existing: async (_business, _mode, ids) => new Set(ids) }),
    backfillMax: 0,
    metrics: { request: nothing, events: nothing },
  }
}
