import { access, chmod, constants, stat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { SidecarConfig } from '../config-sidecar.ts'
import { byteBudget } from '../edge/http/budget.ts'
import type { Route } from '../edge/http/route.ts'
import { openHttpServer } from '../edge/http/server.ts'
import { loadHttpEngine } from '../edge/http/uws.ts'
import { Refusal } from '../faults.ts'
import { limits } from '../limits.ts'
import { chance } from '../runtime/chance.ts'
import { degraded, down, fine, openChecks } from '../runtime/checks.ts'
import type { Clock } from '../runtime/clock.ts'
import { systemClock } from '../runtime/clock.ts'
import { takeDataDir } from '../runtime/data-dir.ts'
import { awaitEnd } from '../runtime/ending.ts'
import { randomIds } from '../runtime/ids.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import { lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import { sidecarMetrics } from '../runtime/metrics.ts'
import { openOpsServer } from '../runtime/ops-server.ts'
import { pauseFor } from '../runtime/pause.ts'
import { assertPortFree } from '../runtime/ports.ts'
import { keepHeapSmall } from '../runtime/small-heap.ts'
import { ageWatch, oldestSeconds } from '../sidecar/age-watch.ts'
import { backOff } from '../sidecar/back-off.ts'
import { openDeadLetters } from '../sidecar/dead-letters.ts'
import type { Forwarder } from '../sidecar/forwarder.ts'
import { forwarder } from '../sidecar/forwarder.ts'
import { sidecarLimits } from '../sidecar/limits.ts'
import { receivingRoute } from '../sidecar/receiving.ts'
import type { Spool } from '../sidecar/spool.ts'
import { openSpool } from '../sidecar/spool.ts'
import { takeLines } from '../sidecar/taking-lines.ts'
import { openUpstream } from '../sidecar/upstream.ts'
import { millisecond } from '../std/instant.ts'
import { compileSchemas } from '../std/schema.ts'

export interface SidecarStartNeeds {
  readonly config: SidecarConfig
  readonly logger: Logger
  /** Called once events are taken. */
  readonly announce: (ready: SidecarReady) => void
}

export interface SidecarReady {
  /** A base URL, or the path of a socket. */
  readonly listens: string
  readonly opsPort: number
}

/** What became of a stream, and of what was in the spool besides. */
export interface StreamReport {
  /** Lines that held an event. */
  readonly taken: number
  /** Lines that held none, and events that the gateway refused. */
  readonly refused: number
  /** Where these stand. */
  readonly deadLetters: string
  /** Events that are still in the spool. */
  readonly waiting: number
  /** The signal that came before the end; null: none. */
  readonly stopped: string | null
}

interface SidecarNeeds {
  readonly config: SidecarConfig
  readonly logger: Logger
  readonly life: Lifecycle
  readonly clock: Clock
  readonly metrics: ReturnType<typeof sidecarMetrics>
}

/**
 * Runs until SIGTERM or SIGINT: then it takes no more, and forwards what it has for a while; the
 * rest stays in the spool for the next start. Answers the exit status.
 *
 * @throws Refusal when something stands in the way of starting.
 */
export async function runSidecar({ config, logger, announce }: SidecarStartNeeds): Promise<number> {
  const life = lifecycle(logger)
  const ending = awaitEnd(logger)
  try {
    const parts = { config, logger, life, clock: systemClock(), metrics: sidecarMetrics() }
    const { spool, forwarding } = await openForwarding(parts)
    const opsPort = await openOps(parts, spool, forwarding)
    const listens = await openReceiving(parts, receivingRoute(spool.append))
    keepHeapSmall()
    announce({ listens, opsPort })
    const { reason, status } = await ending.ended
    logger.info({ reason, events: spool.events }, 'Stopping.')
    return status
  } finally {
    await life.stop(limits.shutdownMs - limits.shutdownSpareMs)
  }
}

/**
 * Takes the events of a stream, one a line, and brings them to the gateway: until the stream has
 * ended and the spool is empty, or SIGTERM or SIGINT comes.
 *
 * @throws Refusal when something stands in the way of starting.
 */
export async function runStream(
  { config, logger }: Omit<SidecarStartNeeds, 'announce'>,
  stream: Readable,
): Promise<StreamReport> {
  const life = lifecycle(logger)
  const ending = awaitEnd(logger)
  const report = { taken: 0, refused: 0 }
  try {
    const parts = { config, logger, life, clock: systemClock(), metrics: sidecarMetrics() }
    const { spool, deadLetters, forwarding } = await openForwarding(parts, (events) => {
      report.refused += events
    })
    await openOps(parts, spool, forwarding)
    compileSchemas()
    keepHeapSmall()
    const { append } = spool
    const taking = takeLines(stream, {
      append,
      deadLetters,
      clock: parts.clock,
      pause: pauseFor,
      counted(result) {
        report[result] += 1
      },
    })
    const brought = taking.then(() => forwarding.emptied()).then(() => null)
    const stopped = await Promise.race([brought, ending.ended.then(({ reason }) => reason)])
    stream.destroy()
    // After a signal nobody waits for it any more.
    brought.catch(() => undefined)
    await life.stop(limits.shutdownMs - limits.shutdownSpareMs)
    const path = join(config.spoolDir, deadLettersName)
    return { ...report, deadLetters: path, waiting: spool.events, stopped }
  } finally {
    await life.stop(limits.shutdownMs - limits.shutdownSpareMs)
  }
}

const deadLettersName = 'dead.ndjson'

async function openForwarding(
  parts: SidecarNeeds,
  onRefused: (events: number) => void = () => undefined,
) {
  const { config, logger, life, clock, metrics } = parts
  const { spoolDir, spoolMax, linger, batch } = config
  const lock = await takeDataDir({
    path: spoolDir,
    setting: 'SPOOL_DIR',
    holder: 'server',
    waitMs: 0,
  })
  if (lock === null) throw new Refusal(`Another sidecar uses SPOOL_DIR ${spoolDir}.`)
  life.own('lock of the spool', () => lock.release())
  const spool = await openSpool({
    directory: spoolDir,
    bytesMax: spoolMax,
    logger,
    appended: () => forwarding.nudge(),
  })
  life.own('spool', () => spool.close())
  const deadLetters = await openDeadLetters(join(spoolDir, deadLettersName), clock)
  life.own('dead letters', () => deadLetters.close())
  const forwarding: Forwarder = forwarder({
    spool,
    upstream: openUpstream({ url: config.upstream, key: config.key }),
    deadLetters,
    backOff: backOff({
      firstMs: sidecarLimits.firstRetryMs,
      maxMs: sidecarLimits.lastRetryMs,
      retryAfterMaxMs: sidecarLimits.retryAfterMaxMs,
      chance,
    }),
    clock,
    logger,
    eventsMax: batch,
    lingerMs: linger / millisecond,
    metrics: {
      forwarded: (events) => metrics.forwarded.add(events, {}),
      refused(events) {
        metrics.refused.add(events, {})
        onRefused(events)
      },
      retried: () => metrics.retries.add(1, {}),
    },
  })
  forwarding.start()
  life.own('forwarding', (withinMs) => forwarding.drain(withinMs))
  const watch = ageWatch({ spool, backfill: () => forwarding.backfill, clock, logger })
  watch.start()
  life.own('watch of ages', () => watch.stop())
  return { spool, deadLetters, forwarding }
}

async function openOps(
  { config, life, clock, metrics }: SidecarNeeds,
  spool: Spool,
  forwarding: Forwarder,
): Promise<number> {
  metrics.spoolEvents.sampled(() => spool.events)
  metrics.spoolBytes.sampled(() => spool.bytes)
  metrics.spoolOldest.sampled(() => oldestSeconds({ spool, clock }))
  // From the start, so that rates and alerts have something to begin with.
  for (const each of [metrics.forwarded, metrics.refused, metrics.retries]) each.add(0, {})
  const checks = openChecks()
  checks.register('spool', () => (spool.trouble === null ? fine : down(spool.trouble)))
  // Events are taken, and safe, whatever the gateway does.
  checks.register('gateway', () => {
    return forwarding.trouble === null ? fine : degraded(forwarding.trouble)
  })
  const { opsHost: host, opsPort: port } = config
  const ops = await openOpsServer({ host, port, checks, metrics: metrics.text })
  life.own('ops server', () => ops.close())
  return ops.port
}

/** Takes events; answers where. There are no keys and no limits: who reaches it is trusted. */
async function openReceiving(
  { config, logger, life, clock }: SidecarNeeds,
  route: Route,
): Promise<string> {
  compileSchemas()
  const { listen } = config
  const path = 'path' in listen ? listen.path : null
  const { host, port } = 'path' in listen ? { host: '', port: 0 } : listen
  if (path === null) await assertPortFree({ name: 'SIDECAR_LISTEN', host, port })
  else await assertSocketFree(path)
  const engine = loadHttpEngine()
  logger.info({ kind: engine.kind }, 'HTTP engine loaded.')
  const server = await openHttpServer({
    engine,
    host,
    listeners: [{ port, path, mode: 'live' }],
    routes: [route],
    keys: { mayExist: () => false, find: async () => null },
    maxStale: 0,
    counters: null,
    trustedProxies: [],
    corsOrigins: [],
    budget: byteBudget(sidecarLimits.inflightBytesMax),
    roomBytesMax: sidecarLimits.roomBytesMax,
    clock,
    newId: randomIds(),
    logger,
    metrics: { rateLimited: () => undefined, request: () => undefined },
  })
  life.own('edge', async (withinMs) => {
    await server.stop(withinMs)
    if (path !== null) await unlink(path).catch(() => undefined)
  })
  // Programs of its group may send, too: in a pod they share a group, and seldom a user.
  if (path !== null) await chmod(path, 0o660)
  const name = host.includes(':') ? `[${host}]` : host
  return path ?? `http://${name}:${server.ports[0] ?? 0}`
}

/**
 * Refuses a path where no socket can be made, and a socket that somebody listens on: it must not be
 * taken from under him.
 */
async function assertSocketFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  const canWrite = await access(dirname(path), constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!canWrite || found?.isSocket() === false) {
    throw new Refusal(
      `SIDECAR_LISTEN ${path} cannot be made: name a socket in a folder that this user may write.`,
    )
  }
  await new Promise<void>((done, failed) => {
    const socket = connect({ path })
    socket.once('connect', () => {
      socket.destroy()
      failed(new Refusal(`SIDECAR_LISTEN ${path} is taken: stop what listens there.`))
    })
    // Nobody is there: the file, if there is one, is left from before.
    socket.once('error', () => done())
  })
}
