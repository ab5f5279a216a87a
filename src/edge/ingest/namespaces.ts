import type { Partition } from '../../parts/event-log/port.ts'
import type { Logger } from '../../runtime/logger.ts'

/** Where the checkpoints say which dedupe namespace counts. */
export interface NamespaceSource {
  checkpoints(): Promise<readonly { readonly partition: Partition; readonly namespace: string }[]>
}

export interface Namespaces {
  /** Null: not known yet, so nothing can be filtered. */
  of(partition: Partition): string | null
  close(): void
}

/** Until every partition's is known, and from then on. */
const [firstMs, refreshMs] = [50, 250]

/**
 * The namespaces that the checkpoints name, as of a moment ago. An old one only means that the
 * filter knows nothing of the partition for a moment: measuring finds the repeats. (design 3, rule
 * 4)
 */
export function openNamespaces(
  source: NamespaceSource,
  partitions: number,
  logger: Logger,
): Namespaces {
  const names = new Map<Partition, string>()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  void refresh()
  return { of: (partition) => names.get(partition) ?? null, close }

  async function refresh(): Promise<void> {
    const found = await read()
    for (const { partition, namespace } of found ?? []) names.set(partition, namespace)
    if (closed) return
    const isComplete = found === null || names.size >= partitions
    timer = setTimeout(() => void refresh(), isComplete ? refreshMs : firstMs).unref()
  }

  async function read() {
    try {
      return await source.checkpoints()
    } catch (error) {
      logger.warn({ error }, 'the dedupe namespaces could not be read; the known ones stay')
      return null
    }
  }

  function close(): void {
    closed = true
    clearTimeout(timer)
  }
}
