import type { LogReader, Offset, Partition } from '../parts/event-log/port.ts'
import type { ArchivePosition, MeasuredLog } from '../parts/store/archive.ts'
import type { Check } from '../runtime/checks.ts'
import { degraded, fine } from '../runtime/checks.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Loop } from '../runtime/loop.ts'
import { loop } from '../runtime/loop.ts'
import type { Duration, Instant } from '../std/instant.ts'
import { after, second } from '../std/instant.ts'

/** The steps that must have read a record before the log deletes it. */
const retentionSteps = ['measuring', 'archive'] as const
type Step = (typeof retentionSteps)[number]

export interface RetentionNeeds {
  readonly archive: Pick<MeasuredLog, 'positions'>
  readonly reader: LogReader
  /** How long the log keeps a record, no matter who has read it. */
  readonly retention: Duration
  readonly clock: Clock
  readonly logger: Logger
  /** Called after every look. */
  readonly overdue: (step: Step, partitions: number) => void
}

export interface RetentionWatch extends Loop {
  /** Degraded while something was overdue at the last look. */
  check(): Check
}

const lookMs = 60_000
/** How long until the same warning is logged again. */
const againAfterMs = 3_600_000

interface Overdue {
  readonly step: Step
  readonly partition: Partition
  /** Log time of the oldest record that the step still needs. */
  readonly at: Instant
}

/**
 * Kafka deletes by age, measured or not. So when the oldest record that measuring or the archive
 * still needs has half of its life behind it, this raises an alarm, while as much time is left to
 * act. [machines#backpressure]
 */
export function watchRetention(needs: RetentionNeeds): RetentionWatch {
  const { archive, clock, logger, retention } = needs
  const toldAt = new Map<string, number>()
  let found: readonly Overdue[] = []
  const looking = loop({ name: 'retention', logger, idleMs: lookMs, work })
  return { ...looking, check }

  async function work(): Promise<boolean> {
    const now = clock.now()
    const oldest = after(now, -retention / 2)
    const positions = await archive.positions()
    const each = positions.flatMap((position) =>
      retentionSteps.map((step) => overdueIn(needs.reader, { position, step, oldest })),
    )
    found = (await Promise.all(each)).filter((one) => one !== null)
    for (const step of retentionSteps) needs.overdue(step, found.filter(isOf(step)).length)
    for (const one of found) alarm(one, now)
    return false
  }

  function alarm({ step, partition, at }: Overdue, now: Instant): void {
    const name = `${step} ${partition}`
    const last = toldAt.get(name) ?? Number.NEGATIVE_INFINITY
    if (performance.now() - last < againAfterMs) return
    toldAt.set(name, performance.now())
    const [ageSeconds, keptSeconds] = [now - at, retention].map((us) => Math.round(us / second))
    logger.error(
      { step, partition, ageSeconds, keptSeconds },
      'events that are needed have half of their life in the log behind them: it will delete them',
    )
  }

  function check(): Check {
    const [first] = found
    if (first === undefined) return fine
    return degraded(
      `The log will delete what ${first.step} still needs of partition ${first.partition}: half of the time is over.`,
    )
  }
}

const isOf =
  (step: Step) =>
  (one: Overdue): boolean =>
    one.step === step

interface Look {
  readonly position: ArchivePosition
  readonly step: Step
  readonly oldest: Instant
}

async function overdueIn(reader: LogReader, look: Look): Promise<Overdue | null> {
  const { position, step, oldest } = look
  const { partition } = position
  const [next, reached] = standOf(position, step)
  // Every older record was read, so the log need not be asked.
  if (reached >= oldest) return null
  const { end } = await reader.bounds(partition)
  if (next >= end) return null
  const [record] = await reader.read(partition, next, 1)
  return record === undefined || record.at >= oldest ? null : { step, partition, at: record.at }
}

/** The next offset, and the log time up to which everything has been read. */
function standOf(position: ArchivePosition, step: Step): readonly [Offset, Instant] {
  return step === 'measuring'
    ? [position.measured, position.measuredAt]
    : [position.archived ?? 0, position.archivedAt]
}
