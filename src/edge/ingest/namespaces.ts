import type { DedupeFilter, Filling } from '../../parts/dedupe/port.ts'
import type { Offset, Partition } from '../../parts/event-log/port.ts'
import type { Logger } from '../../runtime/logger.ts'
import { loop } from '../../runtime/loop.ts'

/** The checkpoints, which say which dedupe namespace counts, and up to where was measured. */
export interface NamespaceSource {
  checkpoints(): Promise<
    readonly {
      readonly partition: Partition
      readonly namespace: string
      readonly nextOffset: Offset
    }[]
  >
}

export interface NamespacesNeeds {
  readonly source: NamespaceSource
  readonly filter: Pick<DedupeFilter, 'reached'>
  readonly partitions: number
  readonly logger: Logger
}

export interface Namespaces {
  /** Null: not known yet, or not to be believed, so nothing can be filtered. */
  of(partition: Partition): string | null
  close(): void
}

/** The pause while a namespace is new and not compared yet, and the pause after that. */
const [firstMs, refreshMs] = [50, 250]

interface Named {
  readonly namespace: string
  /** Whether the cache, when last compared, knew nothing that the books do not know. */
  readonly isBelieved: boolean
}

/**
 * The namespaces that the checkpoints name, as of a moment ago. An old one only means that the
 * filter knows nothing of the partition for a moment: measuring finds the repeats.
 * [machines#dedupe]
 *
 * Books that were restored name a namespace whose cache may have gone on without them; events that
 * the books have lost would then be taken for repeats. A mark follows its commit, so a checkpoint
 * that is read after the cache was asked how far it goes must have come at least as far. If it has
 * not, the two are not of one history, and nothing is filtered until dedupe is healed.
 */
export function openNamespaces(needs: NamespacesNeeds): Namespaces {
  const { source, filter, partitions, logger } = needs
  const names = new Map<Partition, Named>()
  let isNew = true
  const refreshing = loop({
    name: 'dedupe namespaces',
    work: refresh,
    idleMs: () => (isNew ? firstMs : refreshMs),
    logger,
  })
  refreshing.start()
  return { of, close: () => void refreshing.stop() }

  function of(partition: Partition): string | null {
    const named = names.get(partition)
    return named?.isBelieved === true ? named.namespace : null
  }

  async function refresh(): Promise<boolean> {
    const asked = [...names].map(([partition, { namespace }]) => ({ partition, namespace }))
    const reached = await reachedBy(asked)
    const found = await read()
    isNew = found !== null && found.length < partitions
    for (const { partition, namespace, nextOffset } of found ?? []) {
      const before = names.get(partition)
      const isSame = before?.namespace === namespace
      const end = isSame ? (reached.get(partition) ?? null) : null
      if (!isSame) isNew = true
      const isBelieved = end === null ? isSame && before.isBelieved : end <= nextOffset
      if (isSame && before.isBelieved && !isBelieved) {
        const fields = { partition, nextOffset, reached: end }
        logger.warn(fields, 'dedupe knows more than the books: nothing is filtered until it heals')
      }
      names.set(partition, { namespace, isBelieved })
    }
    return false
  }

  async function reachedBy(asked: readonly Filling[]): Promise<ReadonlyMap<Partition, Offset>> {
    const ends = await filter.reached(asked).catch(() => [])
    const known = new Map<Partition, Offset>()
    for (const [index, { partition }] of asked.entries()) {
      const end = ends[index] ?? null
      if (end !== null) known.set(partition, end)
    }
    return known
  }

  async function read() {
    try {
      return await source.checkpoints()
    } catch (error) {
      logger.warn({ error }, 'the dedupe namespaces could not be read; the known ones stay')
      return null
    }
  }
}
