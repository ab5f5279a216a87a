import type { MeasureWorkers } from '../../src/compose/wiring/billing.ts'
import type { EngineWork } from '../../src/compose/wiring/engine.ts'
import { composeEngine } from '../../src/compose/wiring/engine.ts'
import { openIngesting } from '../../src/compose/wiring/ingesting.ts'
import type { TellingNeeds } from '../../src/compose/wiring/telling.ts'
import { byteBudget } from '../../src/edge/http/budget.ts'
import type { Request, Route } from '../../src/edge/http/route.ts'
import { Fault } from '../../src/faults.ts'
import { limits } from '../../src/limits.ts'
import type { Dedupe, DedupeFilter } from '../../src/parts/dedupe/port.ts'
import type { EventLog, LogReader } from '../../src/parts/event-log/port.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { catalogCache } from '../../src/rules/meter/catalog.ts'
import { measure } from '../../src/rules/meter/measure.ts'
import { measureAgain } from '../../src/rules/meter/measure-again.ts'
import { openChecks } from '../../src/runtime/checks.ts'
import { lifecycle } from '../../src/runtime/lifecycle.ts'
import type { Logger } from '../../src/runtime/logger.ts'
import type { EdgeMetrics, EngineMetrics } from '../../src/runtime/metrics.ts'
import { createFingerprinter } from '../../src/std/fingerprint.ts'
import type { NewId } from '../../src/std/id.ts'
import type { Duration, Instant } from '../../src/std/instant.ts'
import { day } from '../../src/std/instant.ts'
import { noLinks } from '../../src/wire/invoice-link.ts'
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

/** One process that ingests, bills and tells: the server's code and wiring on simulated parts. */
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
  const life = lifecycle(logger)
  const ground = { clock, newId, logger, metrics: uncounted, checks: openChecks(), life }
  const parts = partsOf(site, call)
  let ingesting: Route | null = null
  world.within(process, () => void compose())
  return {
    process,
    clock,
    ingest,
    adjust: adjusting({ accounts: parts.accounts, changes: parts.changes, newId, clock }),
    stop,
  }

  /** As the server does, on what is simulated. */
  async function compose(): Promise<void> {
    await composeEngine(ground, engineOf(site, parts, process))
    ingesting = openIngesting({
      ...ground,
      log: parts.log,
      filter: parts.filter,
      measuring: parts.measuring,
      customers: { existing: (_business, _mode, ids) => parts.existing(ids) },
      fingerprintKey,
      backfillMax: limits.dedupeWindow - limits.eventAgeMax,
      budget: byteBudget(64 * 1024 * 1024),
    })
  }

  /** Before it is composed nobody listens. */
  async function ingest(scope: Scope, body: unknown): Promise<Answer> {
    if (ingesting === null) return { status: 503 }
    try {
      return await ingesting.handler(requestOf(scope, clock.now(), bytesOf(body)))
    } catch (error) {
      return { status: error instanceof Fault ? error.status : 500 }
    }
  }

  async function stop(): Promise<void> {
    await life.stop(limits.shutdownMs)
    world.kill(process, 'has stopped')
  }
}

/** Measuring, settling and telling; boundaries, voids and the archive are not simulated. */
function engineOf(site: Site, parts: HostParts, process: Process): EngineWork {
  const { world, log, window, receive } = site
  const call = world.callsOf(process)
  const soon = (work: () => void): void => world.later(process, 100, work)
  return {
    telling: {
      outbox: parts.outbox,
      deliveries: parts.deliveries,
      linksOf: () => noLinks,
      streams: { lapse: () => Promise.resolve(0) },
      secrets: { seal: (plain) => plain, open: (sealed) => sealed },
      post: postOf(call, receive),
      lookMs: 50,
      leaseMs,
      topic: null,
      retention: 30 * day,
    },
    billing: {
      accounts: parts.accounts,
      changes: parts.changes,
      measuring: parts.measuring,
      meters: parts.meters,
      log: {
        reader: parts.log,
        openGroup: async (handler) => groupOf({ log, call, member: process.name, handler, soon }),
        excess: null,
        skew: limits.clockSkewMax,
      },
      openDedupe: async () => parts.dedupe,
      openWorkers: () => workersOf(call),
      onMeasured: () => undefined,
      fingerprintKey,
      window,
    },
    sweeps: null,
    archive: null,
    retention: null,
  }
}

function partsOf(site: Site, call: Call): HostParts {
  const own: HostParts = {
    ...site.store.ports(call),
    log: logOf(site.log, call),
    ...dedupeOf(site.dedupe, call, site.onKnown),
  }
  return site.misdo?.(own, site, call) ?? own
}

/** The route parses what it takes. */
const bytesOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

function requestOf({ businessId, mode }: Scope, at: Instant, body: unknown): Request {
  const caller = {
    keyId: 'key',
    businessId,
    mode,
    access: 'write',
    clockAhead: 0,
    backfill: 0,
  } as const
  return {
    id: 'req',
    method: 'POST',
    path: '/events/ingest',
    caller,
    mode: caller.mode,
    at,
    body,
    param: () => '',
    query: () => null,
    header: () => null,
    queried: () => [],
    address: null,
    onOver: () => undefined,
  }
}

const nothingSaid = { retryAfter: null, answer: null }

/** As the egress does, without a network. */
function postOf(call: Call, receive: Site['receive']): TellingNeeds['post'] {
  return async ({ headers, body }) => {
    const id = headers['webhook-id'] ?? ''
    const status = await call('post', () => receive({ id, body })).catch(() => null)
    if (status === null) return { error: 'timeout', status, ...nothingSaid }
    return { error: status === 200 ? null : 'status', status, ...nothingSaid }
  }
}

/** As workers/measure.ts, with a memory of their own. */
function workersOf(call: Call): MeasureWorkers {
  const compiled = catalogCache()
  return {
    measure: (task) => call('measure', () => measure(task, fingerprinter, compiled(task.catalog))),
    measureAgain: (task) => call('measure again', () => measureAgain(task)),
  }
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

/** Nobody reads the metrics of a simulated process. */
const uncounted = new Proxy({} as EngineMetrics & EdgeMetrics, {
  get: () => ({ add: nothing, set: nothing, sampled: nothing, observe: nothing }),
})

function nothing(): void {
  // Nothing is counted.
}
