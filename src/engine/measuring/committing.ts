import { limits } from '../../limits.ts'
import type { Dedupe } from '../../parts/dedupe/port.ts'
import type { LogGroup, LogSlice, Offset } from '../../parts/event-log/port.ts'
import type {
  Committed,
  Measured,
  Measuring as Store,
  Versions,
} from '../../parts/store/measuring.ts'
import type { Assigned, Assignment } from '../../rules/meter/assign.ts'
import { assign } from '../../rules/meter/assign.ts'
import { knownWindows } from '../../rules/meter/known-windows.ts'
import { withMeasuredAgain } from '../../rules/meter/measure-again.ts'
import type {
  MeasureAgainTask,
  MeasuredAgain,
  MeasureResult,
} from '../../rules/meter/measure-types.ts'
import { routeMarks } from '../../rules/meter/route-mark.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { passing } from '../../runtime/moments.ts'
import type { Duration } from '../../std/instant.ts'
import { billedByScope } from './billed-by-scope.ts'
import type { CatalogCache } from './catalogs.ts'
import type { NextEvents } from './checking.ts'
import { checking } from './checking.ts'
import type { Part } from './commit-slice.ts'
import { printsOf, ranOf, sliceOf, unreadableOf } from './commit-slice.ts'
import { firsts, selected } from './first-of-id.ts'
import { accountsOf, incrementOf } from './increment.ts'
import type { MeasuringMetrics } from './metrics.ts'
import type { Batch, MovedVersions, Polled, Tried } from './moved.ts'
import { movedVersions, restlessVersions, staleMax } from './moved.ts'
import type { Held, Partitions } from './partitions.ts'
import type { Persist } from './persist.ts'
import type { RouteCache } from './routes.ts'
import { unseenBetween } from './sight.ts'

export interface CommittingNeeds {
  readonly store: Store
  readonly dedupe: Dedupe
  readonly held: Partitions
  readonly group: LogGroup
  readonly catalogs: CatalogCache
  readonly routes: RouteCache
  readonly measureAgain: (task: MeasureAgainTask) => Promise<MeasuredAgain>
  readonly clock: Clock
  /** Time since an unknown moment; nobody can set it. */
  readonly monotonic: () => Duration
  readonly logger: Logger
  readonly metrics: MeasuringMetrics
  readonly onCommit: () => void
  readonly persist: Persist
}

/** A part of which it is not known yet which of its events are fresh. */
type Next = Omit<Part, 'fresh'> & NextEvents

/** Inside a transaction nothing is tried again by itself: a failure ends the transaction. */
const once: Persist = (work) => work()

/**
 * Judge → fold → commit → mark, for one poll that was measured. Returns when all of it is
 * committed, or belongs to another process; throws only when the process is stopping.
 */
export function committing(needs: CommittingNeeds) {
  const { persist } = needs
  const targeting = knownWindows()
  const routesOf: Assignment['routesOf'] = (businessId, mode, customerId) =>
    needs.routes.get({ businessId, mode, customerId })?.routes ?? []
  const linksOf: Assignment['linksOf'] = (businessId, mode) =>
    needs.catalogs.linksOf({ businessId, mode })
  const restless = restlessVersions(needs.monotonic)
  const { knownOf } = checking(needs)
  return async function commit({ slices, from, to }: Polled, measured: MeasureResult) {
    const began = needs.clock.now()
    const moved = movedVersions(restless.of(measured))
    let result = measured
    await persist(() => confirmed({ slices, from, to }))
    let parts = await persist(() => judged(slices, result))
    while (parts.length > 0) {
      const tried = await tries({ slices, parts, result }, moved)
      const { answer, write } = tried
      result = tried.result
      if (answer.kind === 'committed') {
        passing('measured')
        restless.held(moved)
        needs.onCommit()
        await marked(parts, result)
        passing('marked')
        report(parts, write, began)
        needs.metrics.billed(billedByScope(result, parts, write.slices))
        return
      }
      if (answer.kind === 'lost') parts = await resolved(parts, answer)
      else moved.add(answer, write)
    }
  }

  /**
   * Commits by the versions that were loaded last. When these move time and again, commits while
   * the store holds those that did, so that a business cannot put off measuring by changing its
   * catalog.
   */
  async function tries(batch: Batch, moved: MovedVersions): Promise<Tried> {
    const { times, versions, latest } = moved
    const plainly = { commit: needs.store.commit, again: persist }
    if (latest === null) return tried(batch, null, plainly)
    if (times < staleMax) {
      needs.metrics.again('loaded')
      return tried(batch, latest, plainly)
    }
    needs.metrics.again('held')
    // It is one transaction, so a failure inside of it means that all of it is tried again.
    return persist(() =>
      needs.store.holding(versions, (commit) => tried(batch, versions, { commit, again: once })),
    )
  }

  async function tried(
    { slices, parts, result: before }: Batch,
    moved: Versions | null,
    { commit, again }: { readonly commit: Store['commit']; readonly again: Persist },
  ): Promise<Tried> {
    const result = moved === null ? before : await again(() => refreshed(slices, before, moved))
    const write = await again(() => folded(parts, result))
    passing('judged')
    return { result, write, answer: await again(() => commit(write)) }
  }

  /**
   * A log can lose its tail and grow past our place again without anything showing. So a partition
   * that was not looked at for longer than that takes is looked at before its next records count.
   */
  async function confirmed({ slices, from, to }: Polled): Promise<void> {
    for (const { partition } of slices) {
      const held = needs.held.get(partition)
      if (held === undefined) continue
      if (unseenBetween(held.seen, to) > limits.unseenMax) await needs.held.confirm(held)
      held.seen = from
    }
  }

  /** Decides which events of which slices are still to be counted. Heals dedupe where it lags. */
  async function judged(slices: readonly LogSlice[], result: MeasureResult): Promise<Part[]> {
    const nexts = slices.flatMap((slice, index) => nextOf(slice, index, result) ?? [])
    const known = await knownOf(nexts)
    return nexts.flatMap((next, index) => {
      const found = known[index]
      return found == null ? [] : { ...next, fresh: firsts(next.prints, found) }
    })
  }

  /** Null: it is not the next of a partition that is held here. */
  function nextOf(slice: LogSlice, index: number, result: MeasureResult): Next | null {
    const held = needs.held.get(slice.partition)
    const [firstRecord, lastRecord] = [slice.records[0], slice.records.at(-1)]
    if (held === undefined || firstRecord === undefined || lastRecord === undefined) return null
    if (!follows(held, firstRecord.offset)) return null
    const first = result.sliceStarts[index] ?? 0
    const end = result.sliceStarts[index + 1] ?? result.events
    return {
      held,
      slice,
      first,
      end,
      startOffset: firstRecord.offset,
      endOffset: lastRecord.offset + 1,
      unreadable: unreadableOf(result, index, slice),
      prints: printsOf(result, { first, end }),
    }
  }

  /**
   * After a reload the group may still deliver what it had read before. The seek is done only once:
   * what is polled meanwhile does not follow either, and a second seek would only read it twice.
   */
  function follows(held: Held, offset: Offset): boolean {
    if (offset !== held.next && held.sought !== held.next) seek(held)
    if (offset === held.next) held.sought = null
    return offset === held.next
  }

  function seek(held: Held): void {
    held.sought = held.next
    needs.group.seek(held.partition, held.next)
  }

  async function folded(parts: readonly Part[], result: MeasureResult) {
    const customers = result.groups
    await needs.routes.ensure(customers)
    const fresh = new Uint8Array(result.events)
    for (const part of parts) fresh.set(part.fresh, part.first)
    const assigned = assign({ result, fresh, routesOf, linksOf }, targeting)
    return writeOf(parts, result, assigned)
  }

  function writeOf(parts: readonly Part[], result: MeasureResult, assigned: Assigned): Measured {
    const routes = new Map<string, Measured['routes'][number]>()
    for (const { businessId, mode, customerId } of result.groups) {
      const found = needs.routes.get({ businessId, mode, customerId })
      if (found === undefined) continue
      const route = { businessId, mode, customerId, version: found.version, stamp: found.stamp }
      routes.set(`${mode} ${businessId} ${customerId}`, route)
    }
    const marks = routeMarks(result, (group) => needs.routes.get(group)?.version ?? null)
    return {
      slices: parts.map((part) => sliceOf(part, result, { billed: assigned.billed, marks })),
      usage: assigned.usage.map(incrementOf),
      accounts: accountsOf(assigned),
      catalogs: result.catalogs,
      routes: [...routes.values()],
      quarantined: parts.flatMap((part) => part.unreadable),
    }
  }

  /**
   * Tells dedupe what was committed: after the commit, never before. [machines#measuring] All
   * partitions at once, because repeats are appended to the log until their ids are marked.
   */
  async function marked(parts: readonly Part[], result: MeasureResult): Promise<void> {
    await Promise.all(parts.map((part) => mark(part, result)))
  }

  async function mark(part: Part, result: MeasureResult): Promise<void> {
    const { held } = part
    const ids = selected(printsOf(result, part), part.fresh)
    const run = { start: part.startOffset, end: part.endOffset, ran: ranOf(part), ids }
    held.next = part.endOffset
    // A mark that fails leaves `synced` behind, so the next check says stale, and heals.
    await needs.dedupe
      .mark(held.partition, held.namespace, run)
      .catch((error: unknown) => needs.logger.warn({ error }, 'dedupe did not take a mark'))
  }

  /** Why a comparison failed: committed by us already, or moved away. [machines#measuring] */
  async function resolved(
    parts: readonly Part[],
    answer: Committed & { readonly kind: 'lost' },
  ): Promise<Part[]> {
    const rest = new Set(parts)
    for (const { partition, epoch, nextOffset, halted } of answer.partitions) {
      const part = parts.find((each) => each.held.partition === partition)
      if (part === undefined) continue
      rest.delete(part)
      if (epoch !== part.held.epoch || halted) {
        needs.logger.warn({ partition, halted }, 'partition is halted, or another process has it')
        if (epoch === part.held.epoch) needs.held.standStill(part.held)
        else needs.held.forget(part.held)
        continue
      }
      // The epoch is ours: an earlier commit of ours had succeeded. Go on from its end.
      part.held.next = nextOffset
      seek(part.held)
    }
    return [...rest]
  }

  /** Loads the catalogs or routes that moved meanwhile, and measures only their part again. */
  async function refreshed(
    slices: readonly LogSlice[],
    result: MeasureResult,
    { catalogs, customers }: Versions,
  ): Promise<MeasureResult> {
    needs.routes.forget(customers)
    if (catalogs.length === 0) return result
    await needs.catalogs.load(catalogs)
    const { unreadable } = result
    const again = { slices, unreadable, catalogs: needs.catalogs.of(catalogs) }
    return withMeasuredAgain(result, await needs.measureAgain(again))
  }

  function report(parts: readonly Part[], write: Measured, began: number): void {
    const total = { billed: 0, unmatched: 0, duplicates: 0, quarantined: 0 }
    for (const slice of write.slices) {
      total.billed += slice.billed
      total.unmatched += slice.unmatched
      total.duplicates += slice.duplicates
      total.quarantined += slice.quarantined
    }
    needs.metrics.counted(total)
    const now = needs.clock.now()
    const oldest = Math.min(...parts.map((part) => part.slice.records[0]?.at ?? now))
    needs.metrics.committed((now - oldest) / 1e6, (now - began) / 1e6)
  }
}
