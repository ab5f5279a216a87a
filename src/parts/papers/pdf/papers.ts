import { Fault } from '../../../faults.ts'
import { limits } from '../../../limits.ts'
import type { Sheet } from '../../../rules/commerce/invoices/sheet.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { openPool } from '../../../runtime/pool.ts'
import type { Papers } from '../port.ts'

/** What the thread that draws is handed. */
export interface DrawnPaper {
  readonly sheet: Sheet
  readonly logo: Uint8Array | null
}

export interface PdfPapers extends Papers {
  close(): Promise<void>
}

/**
 * Draws papers in a thread of its own, one after another, so that the thread that serves requests
 * never waits for a drawing. It begins with the first paper, ends when nothing has been drawn for a
 * while, and is ended when a paper takes too long; how many may wait is bounded. [invoices#pdf]
 */
export function openPdfPapers({ logger }: { readonly logger: Logger }): PdfPapers {
  const pool = openPool<DrawnPaper, Uint8Array>({
    workers: 1,
    entry: new URL('../../../../workers/paper.js', import.meta.url),
    idleMs: limits.paperIdleMs,
    waitingMax: limits.papersWaitingMax,
    heapMb: limits.paperHeapMb,
  })
  return {
    async draw(sheet, logo) {
      try {
        return await pool.run({ sheet, logo }, [], AbortSignal.timeout(limits.paperMs))
      } catch (error) {
        logger.warn({ error, title: sheet.title }, 'a paper was not drawn')
        throw new Fault('UNAVAILABLE', 'The paper could not be drawn just now; try again.', {
          retryAfterSeconds: 5,
        })
      }
    },
    close: () => pool.close(),
  }
}
