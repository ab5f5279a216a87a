import type { ArchivingNeeds, ArchivingOptions } from '../../engine/archive/archiving.ts'
import { archiving } from '../../engine/archive/archiving.ts'
import type { ForgettingNeeds } from '../../engine/sweeps/forgetting.ts'
import { openForgetting } from '../../engine/sweeps/forgetting.ts'
import { formatInstant } from '../../std/instant.ts'
import type { EngineLog, EngineNeeds } from './ground.ts'

export interface ArchiveNeeds
  extends Omit<ArchivingNeeds, 'reader' | 'clock' | 'logger'>,
    Pick<ArchivingOptions, 'retention' | 'dedupeWindow' | 'trim'> {
  readonly log: Pick<EngineLog, 'reader'>
  readonly forgetting: ForgettingNeeds['store']
}

/** Event log → archive, and the forgetting of what no archived event needs any more. */
export function openArchive(ground: EngineNeeds, needs: ArchiveNeeds): void {
  const { clock, logger, metrics, life } = ground
  const { log, forgetting: _, retention, dedupeWindow, trim, ...parts } = needs
  const archive = archiving(
    { ...parts, reader: log.reader, clock, logger },
    {
      retention,
      dedupeWindow,
      trim,
      report: {
        halted: (partition, reason) => logger.error({ partition, reason }, 'archive halted'),
        dropped: (days) => {
          for (const { table, day: at, rows } of days) {
            const dropped = { table, day: formatInstant(at).slice(0, 10), rows }
            logger.info(dropped, 'a day past its retention was dropped')
            metrics.droppedRows.add(rows, { table })
          }
        },
        trimmed: (partition, { from, upTo }) => {
          logger.debug({ partition, from, upTo }, 'the log was trimmed')
          metrics.trimmedRecords.add(upTo - from, {})
        },
        failed: (error) => logger.warn({ error }, 'a round of the archive failed'),
      },
    },
  )
  life.own('archive', () => archive.stop())
  archive.start()
  forgetWith(ground, needs)
}

/** What may be forgotten depends on what the archive still has. */
function forgetWith(
  { clock, logger, metrics, life }: EngineNeeds,
  { forgetting: store, retention }: ArchiveNeeds,
): void {
  const sweep = openForgetting({
    store,
    retention: retention.archive,
    clock,
    logger,
    forgot: (rows) => {
      logger.info({ ...rows }, 'what no kept event needs was forgotten')
      for (const [table, count] of Object.entries(rows)) metrics.droppedRows.add(count, { table })
    },
  })
  life.own('forgetting', () => sweep.stop())
  sweep.start()
}
