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

const refreshMs = 250

/**
 * The namespaces that the checkpoints name, as of a moment ago. An old one only means that the
 * filter knows nothing of the partition for a moment: measuring finds the repeats. (design 3, rule
 * 4)
 */
export function openNamespaces(source: NamespaceSource, logger: Logger): Namespaces {
  const names = new Map<Partition, string>()
  const timer = setInterval(() => void refresh(), refreshMs)
  timer.unref()
  void refresh()
  return { of: (partition) => names.get(partition) ?? null, close: () => clearInterval(timer) }

  async function refresh(): Promise<void> {
    try {
      for (const { partition, namespace } of await source.checkpoints()) {
        names.set(partition, namespace)
      }
    } catch (error) {
      logger.warn({ error }, 'the dedupe namespaces could not be read; the known ones stay')
    }
  }
}
