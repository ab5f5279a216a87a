import { byteBudget } from '../../src/edge/http/budget.ts'
import { knownCustomers } from '../../src/edge/ingest/customers.ts'
import { ingestRoute } from '../../src/edge/ingest/ingest.ts'
import { openNamespaces } from '../../src/edge/ingest/namespaces.ts'
import { packer } from '../../src/edge/ingest/packer.ts'
import { openMeasuring } from '../../src/engine/measuring/measuring.ts'
import { openSettling } from '../../src/engine/settling.ts'
import { relay } from '../../src/engine/webhooks/relay.ts'
import { openSender } from '../../src/engine/webhooks/sender.ts'
import { Fault } from '../../src/faults.ts'
import { limits } from '../../src/limits.ts'
import type { Dedupe, DedupeFilter } from '../../src/parts/dedupe/port.ts'
import type { EventLog, LogReader } from '../../src/parts/event-log/port.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { catalogCache } from '../../src/rules/meter/catalog.ts'
import { measure } from '../../src/rules/meter/measure.ts'
import { measureAgain } from '../../src/rules/meter/measure-again.ts'
import type { MeasureTask } from '../../src/rules/meter/measure-types.ts'
import type { Logger } from '../../src/runtime/logger.ts'
import type { Loop } from '../../src/runtime/loop.ts'
import { loop } from '../../src/runtime/loop.ts'
import { createFingerprinter, partitionOf } from '../../src/std/fingerprint.ts'
import type { NewId } from '../../src/std/id.ts'
import type { Duration } from '../../src/std/instant.ts'
import { millisecond } from '../../src/std/instant.ts'
import { adjusting } from './adjusting.ts'
import type { BentClock } from './bent-clock.ts'
import { bentClock } from './bent-clock.ts'
import type { SimulatedDedupe } from './dedupe.ts'
import { dedupeOf } from './dedupe.ts'
import type { SimulatedLog } from './event-log.ts'
import { groupOf, logOf } from './group.ts'
import type { SimulatedStore } from './store.ts'
import type { Call, Process, World } from './world.ts'

/** The world around the processes, which they share. */
export interface Site {
  readonly world: World
  readonly log: SimulatedLog
  readonly dedupe: SimulatedDedupe
  readonly store: SimulatedStore
  readonly newId: NewId
  /** How long ids must be known. */
  readonly window: Duration
  /** What an endpoint answers to a webhook. */
  readonly receive: (message: { readonly id: string; readonly body: string }) => number
  /** Called when an edge was told that these ids are measured. */
  readonly onKnown: (partition: number, ids: readonly string[]) => void
  /** Breaks a rule, to see whether the audit notices. */
  readonly misdo?: ((parts: HostParts, site: Site, call: Call) => HostParts) | undefined
}

/** Everything that a process uses. */
export interface HostParts extends ReturnType<SimulatedStore['ports']> {
  readonly log: EventLog & LogReader
  readonly dedupe: Dedupe
  readonly filter: DedupeFilter
}

export interface Answer {
  readonly status: number
}

/** One process with every role: the server's code on simulated parts. */
export interface Host {
  readonly process: Process
  readonly clock: BentClock
  ingest(scope: Scope, body: unknown): Promise<Answer>
  adjust: ReturnType<typeof adjusting>
  /** Stops it like SIGTERM does. */
  stop(): Promise<void>
}

export const fingerprintKey = Uint8Array.from({ length: 16 }, (_, index) => index)
export const fingerprinter = createFingerprinter(fingerprintKey)

/** Rarer than the server looks without a nudge, because every look costs simulated time. */
const relayIdleMs = 250

/** How long a claimed delivery stays claimed when its process is gone. */
const leaseMs = 2_000

export function startHost(site: Site, name: string): Host {
  const process = site.world.spawn(name)
  return site.world.inside(process, () => openHost(site, process))
}

function openHost(site: Site, process: Process): Host {
  const { world, newId } = site
  const { name } = process
  const call = world.callsOf(process)
  const clock = bentClock(world)
  const logger = loggerOf(world, name)
  const parts = partsOf(site, call)
  const edge = edgeOf(site, parts, { clock, logger })
  const host: Host = {
    process,
    clock,
    ingest: edge.ingest,
    adjust: adjusting({ accounts: parts.accounts, changes: parts.changes, newId, clock }),
    stop,
  }
  const telling = openTelling(site, parts, { call, clock, logger })
  const settling = openSettling({
    accounts: parts.accounts,
    changes: parts.changes,
    share: () => null,
    newId,
    clock,
    logger,
    metrics: { entries: nothing, settled: nothing, retried: nothing },
    onSettled: () => telling[0]?.nudge(),
  })
  const measuring = openMeasuring({
    openGroup: async (handler) => {
      const soon = (work: () => void): void => world.later(process, 100, work)
      return groupOf({ log: site.log, call, member: name, handler, soon })
    },
    reader: parts.log,
    dedupe: parts.dedupe,
    store: parts.measuring,
    meters: parts.meters,
    measure: measureOf(call),
    measureAgain: (task) => call('measure again', () => measureAgain(task)),
    fingerprintKey,
    window: site.window,
    monotonic: () => performance.now() * millisecond,
    skew: limits.clockSkewMax,
    clock,
    logger,
    metrics: {
      counted: nothing,
      committed: nothing,
      healing: nothing,
      skewed: nothing,
      again: nothing,
    },
    onCommit: settling.nudge,
  })
  world.within(process, () => {
    for (const one of [...telling, settling]) one.start()
    void measuring.start()
  })
  return host

  async function stop(): Promise<void> {
    edge.close()
    await measuring.stop()
    for (const one of [settling, ...telling]) await one.stop()
    world.kill(process, 'has stopped')
  }
}

interface Ground {
  readonly clock: { now(): ReturnType<World['now']> }
  readonly logger: Logger
}

function partsOf(site: Site, call: Call): HostParts {
  const own: HostParts = {
    ...site.store.ports(call),
    log: logOf(site.log, call),
    ...dedupeOf(site.dedupe, call, site.onKnown),
  }
  return site.misdo?.(own, site, call) ?? own
}

function edgeOf(site: Site, parts: HostParts, { clock, logger }: Ground) {
  const namespaces = openNamespacesIn(site, parts, logger)
  const { handler } = ingestRoute({
    log: parts.log,
    packer: packer({
      log: parts.log,
      budget: byteBudget(64 * 1024 * 1024),
      clock,
      appended: nothing,
    }),
    dedupe: parts.filter,
    namespaceOf: (partition) => namespaces().of(partition),
    fingerprinter: { identities: fingerprinter.identities, partitionOf },
    customers: knownCustomers({ existing: (_business, _mode, ids) => parts.existing(ids) }),
    backfillMax: limits.dedupeWindow - limits.eventAgeMax,
    metrics: { request: nothing, events: nothing },
  })
  return { ingest, close: () => namespaces().close() }

  async function ingest({ businessId, mode }: Scope, body: unknown): Promise<Answer> {
    const caller = {
      keyId: 'key',
      businessId,
      mode,
      access: 'write',
      clockAhead: 0,
      backfill: 0,
    } as const
    const at = clock.now()
    const words = {
      param: () => '',
      query: () => null,
      header: () => null,
      queried: () => [],
      onOver: () => undefined,
    }
    const request = {
      id: 'req',
      method: 'POST',
      path: '/events/ingest',
      caller,
      at,
      body,
      ...words,
    }
    try {
      return await handler(request)
    } catch (error) {
      return { status: error instanceof Fault ? error.status : 500 }
    }
  }
}

/** It begins to read when it is made, and must do so in its own process. */
function openNamespacesIn(site: Site, parts: HostParts, logger: Logger) {
  let opened: ReturnType<typeof openNamespaces> | null = null
  return () => {
    opened ??= openNamespaces({
      source: parts.measuring,
      filter: parts.filter,
      logger,
      partitions: site.log.partitions,
    })
    return opened
  }
}

/** Like openDelivery, without a network. */
function openTelling(
  site: Site,
  parts: HostParts,
  { call, clock, logger }: Ground & { readonly call: Call },
): readonly Loop[] {
  const relaying = loop({
    name: 'relay',
    work: () =>
      relay({
        outbox: parts.outbox,
        topic: false,
        clock,
        logger,
        relayed: () => delivering.nudge(),
      }),
    idleMs: relayIdleMs,
    logger,
  })
  const sender = openSender({
    deliveries: parts.deliveries,
    secrets: { seal: (plain) => plain, open: (sealed) => sealed },
    clock,
    logger,
    metrics: { attempted: nothing, pending: nothing },
    leaseMs,
    ended: () => delivering.nudge(),
    post: async ({ headers, body }) => {
      const id = headers['webhook-id'] ?? ''
      const status = await call('post', () => site.receive({ id, body })).catch(() => null)
      if (status === null) return { error: 'timeout', status, ...nothingSaid }
      return { error: status === 200 ? null : 'status', status, ...nothingSaid }
    },
  })
  const delivering: Loop = loop({ name: 'delivery', work: sender.round, idleMs: 500, logger })
  return [relaying, delivering]
}

/** Like workers/measure.ts, with a memory of its own. */
function measureOf(call: Call) {
  const compiled = catalogCache()
  return (task: MeasureTask) =>
    call('measure', () => measure(task, fingerprinter, compiled(task.catalog)))
}

function loggerOf(world: World, name: string): Logger {
  const say = (_fields: unknown, message: string): void => world.note(name, `“${message}”`)
  const logger: Logger = {
    debug: say,
    info: say,
    warn: say,
    error: say,
    fatal: say,
    child: () => logger,
  }
  return logger
}

const nothingSaid = { retryAfter: null, answer: null }
const nothing = (): void => undefined
