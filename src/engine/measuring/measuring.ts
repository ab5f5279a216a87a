import { AssertionError } from 'node:assert'
import { limits } from '../../limits.ts'
import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { GroupHandler, LogGroup, LogReader, LogSlice } from '../../parts/event-log/port.ts'
import type { IdlePartition, Measuring as Store } from '../../parts/store/measuring.ts'
import type { Meters } from '../../parts/store/meters.ts'
import type {
  MeasureAgainTask,
  MeasuredAgain,
  MeasureResult,
  MeasureTask,
} from '../../rules/meter/measure-types.ts'
import type { Check } from '../../runtime/checks.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import { pauseFor } from '../../runtime/pause.ts'
import type { Duration } from '../../std/instant.ts'
import { after } from '../../std/instant.ts'
import { measuringCatalogs } from './catalogs.ts'
import { committing } from './committing.ts'
import { logClock } from './log-clock.ts'
import type { MeasuringMetrics } from './metrics.ts'
import type { Partitions } from './partitions.ts'
import { partitions } from './partitions.ts'
import { persisting } from './persist.ts'
import { readingPace } from './reading-pace.ts'
import { routeCache } from './routes.ts'
import { sightBy } from './sight.ts'

export interface MeasuringNeeds {
  readonly openGroup: (handler: GroupHandler) => Promise<LogGroup>
  readonly reader: LogReader
  readonly dedupe: Dedupe
  readonly store: Store
  readonly meters: Pick<Meters, 'catalogOf'>
  readonly measure: (task: MeasureTask) => Promise<MeasureResult>
  readonly measureAgain: (task: MeasureAgainTask) => Promise<MeasuredAgain>
  readonly fingerprintKey: Uint8Array
  /** How long ids are known, by running time. */
  readonly window: Duration
  /** Time since an unknown moment; nobody can set it. */
  readonly monotonic: () => Duration
  /** How far the log's clock may trail ours. */
  readonly skew: Duration
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: MeasuringMetrics
  /** Called after every commit, before dedupe is told: there may be more to read and settle. */
  readonly onCommit: () => void
}

/** Turns the event log into usage. */
export interface MeasuringLoop {
  start(): Promise<void>
  /** Finishes what is being committed; measures nothing more. */
  stop(): Promise<void>
  readonly partitions: Partitions
  /** Degraded while the log's clock differs from ours by more than a minute. */
  check(): Check
}

type Commit = ReturnType<typeof committing>

/** What `start` has begun. */
interface Running {
  readonly group: LogGroup
  readonly rounds: Loop
}

/**
 * The loop: poll → measure (in a worker) → judge → commit → mark; effects happen in this order.
 * While one batch is committed the next one is measured, so there are never more than two in
 * memory. The next one is read as late as that allows, and after a gap, unless measuring is behind.
 *
 * A crash before the commit costs nothing, since the log still has the records. After a crash
 * between commit and mark dedupe lags: `check` says stale, and healing marks what is missing.
 */
export function openMeasuring(needs: MeasuringNeeds): MeasuringLoop {
  const held = partitions(needs)
  const catalogs = measuringCatalogs(needs.meters)
  const routes = routeCache(needs.store)
  let stopping = false
  let comparedAt = needs.monotonic()
  const persist = persisting(needs.logger, () => stopping)
  let running: Running | null = null
  let previous: Promise<void> = Promise.resolve()
  const pace = readingPace()
  const clockOfLog = logClock({ ...needs, skewed: needs.metrics.skewed })
  return { start, stop, partitions: held, check: clockOfLog.check }

  async function start(): Promise<void> {
    const position = (partition: number) => held.get(partition)?.next ?? null
    const group = await needs.openGroup({ taken, lost, position })
    if (stopping) return group.close()
    const commit = committing({ ...needs, held, catalogs, routes, group, persist })
    const rounds = loop({
      name: 'measuring',
      // Polling itself waits while there is nothing to read.
      idleMs: 0,
      // The records of a failed round would be missing from the next one.
      onFailure: 'end',
      logger: needs.logger,
      async work() {
        await untilStopped(() => round(group, commit))
        return true
      },
    })
    running = { group, rounds }
    rounds.start()
  }

  function lost(partition: number): void {
    held.lost(partition)
    clockOfLog.forget(partition)
  }

  async function taken(partition: number): Promise<number> {
    const taking = await held.take(partition)
    // Dedupe is made complete before anything is measured, so that the edge can filter from the
    // start.
    if (taking !== null) await held.ensureHealed(taking)
    // A halted partition is not read on: the offset lies past everything.
    return taking?.next ?? Number.MAX_SAFE_INTEGER
  }

  async function stop(): Promise<void> {
    stopping = true
    await running?.rounds.stop()
    await untilStopped(committed)
    await running?.group.close()
  }

  /** A failure after `stop` is no error: the next start measures these records from the log. */
  async function untilStopped(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!stopping) throw error
      needs.logger.warn({ error }, 'measuring stops before what it has read is committed')
    }
  }

  async function round(group: LogGroup, commit: Commit): Promise<void> {
    const from = sightBy(needs)
    const slices = await polled(group)
    if (slices.length === 0) {
      await committed()
      await compare(group)
      return beat()
    }
    const to = sightBy(needs)
    clockOfLog.read(slices)
    const readAt = performance.now()
    const result = await measured(slices)
    pace.measured(performance.now() - readAt)
    await committed()
    await compare(group)
    const measuredAt = performance.now()
    previous = commit({ slices, from, to }, result)
    // Its failure is thrown where it is awaited, one turn later; until then it must not count as
    // unhandled.
    const ended = previous.catch(() => undefined)
    void ended.then(() => pace.committed(performance.now() - measuredAt))
    if (isBehind(slices)) return
    await Promise.race([ended, pauseFor(pace.restMs())])
    await pauseFor(pace.gapMs())
  }

  /** Resolves when the previous batch is committed; throws its failure, once. */
  function committed(): Promise<void> {
    const last = previous
    previous = Promise.resolve()
    return last
  }

  /**
   * Checkpoints and log may change unseen, so they are compared from time to time.
   * [machines#measuring] A busy process also reports which of its partitions are idle.
   */
  async function compare(group: LogGroup): Promise<void> {
    const now = needs.monotonic()
    if (now - comparedAt < limits.compareInterval) return
    comparedAt = now
    await beat()
    try {
      for (const { partition, next } of await held.compared()) group.seek(partition, next)
    } catch (error) {
      if (error instanceof AssertionError) throw error
      needs.logger.warn({ error }, 'measuring could not compare the log with its checkpoints')
    }
  }

  /**
   * There is nothing to measure, but time passes, and boundaries wait for it. [machines#boundaries]
   */
  async function beat(): Promise<void> {
    try {
      const idle: IdlePartition[] = []
      // As they are before the question: what is held moves on.
      const mine = held.held().map((one) => ({ ...one }))
      const [now, asked] = [needs.clock.now(), needs.monotonic()]
      const at = after(now, -needs.skew)
      const ends = await needs.reader.ends(mine.map(({ partition }) => partition))
      for (const [index, { partition, epoch, next, arrivals }] of mine.entries()) {
        const end = ends[index] ?? 0
        arrivals.looked(end, asked)
        clockOfLog.looked(partition, end, now)
        if (end === next) idle.push({ partition, epoch, next, at, ran: arrivals.of(next) })
      }
      if (idle.length > 0) await needs.store.heartbeat(idle)
    } catch (error) {
      needs.logger.warn({ error }, 'measuring could not say that it is idle')
    }
  }

  /** Taking a partition asks the store, which may be away; waiting loses nothing. */
  async function polled(group: LogGroup): Promise<readonly LogSlice[]> {
    try {
      const slices = await group.poll(limits.measureBytesMax, pollMs)
      return slices.filter((slice) => slice.records.length > 0)
    } catch (error) {
      if (error instanceof AssertionError) throw error
      needs.logger.warn({ error }, 'measuring cannot read the event log and tries again')
      await pauseFor(pollMs)
      return []
    }
  }

  /** Measures. Where the worker missed catalogs, loads these and measures again. */
  async function measured(slices: readonly LogSlice[]): Promise<MeasureResult> {
    for (;;) {
      const result = await needs.measure(taskOf(slices))
      if (result.missing.length === 0) return result
      await persist(() => catalogs.load(result.missing))
    }
  }

  function taskOf(slices: readonly LogSlice[]): MeasureTask {
    return { slices, catalog: catalogs.snapshot(), fingerprintKey: needs.fingerprintKey }
  }
}

const pollMs = 250

/**
 * Whether there was so much to read that there is more. Then the next batch is read at once; it
 * lacks what comes while the one before it is committed, and all of that is late by a commit.
 */
function isBehind(slices: readonly LogSlice[]): boolean {
  let bytes = 0
  for (const { records } of slices) for (const { value } of records) bytes += value.length
  return bytes > limits.measureBytesMax * 0.9
}
