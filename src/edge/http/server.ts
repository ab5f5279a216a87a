import { tmpdir } from 'node:os'
import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import { heapBytesMax } from '../../runtime/heap.ts'
import type { Logger } from '../../runtime/logger.ts'
import { nowAndThen } from '../../runtime/rare-warnings.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration } from '../../std/instant.ts'
import type { KeyDirectory } from './auth.ts'
import { authenticator } from './auth.ts'
import type { ByteBudget } from './budget.ts'
import { byteBudget } from './budget.ts'
import { clientAddress } from './client-address.ts'
import { cors } from './cors.ts'
import { descriptorGate } from './descriptors.ts'
import type { DispatchNeeds, HttpMetrics } from './dispatch.ts'
import { dispatcher } from './dispatch.ts'
import { exchanges } from './exchange.ts'
import { openInflating } from './json.ts'
import type { RateCounters } from './rates.ts'
import { rates } from './rates.ts'
import type { Route } from './route.ts'
import { router } from './router.ts'
import { openStrangers } from './strangers.ts'
import { bodyTurns, nobodyWaits } from './turns.ts'
import type { HttpEngine } from './uws.ts'
import type { ListenSocket, UwsApp } from './uws-surface.ts'
import { listenExclusively } from './uws-surface.ts'

/**
 * A port that serves one mode, or both, by the host name that the client used.
 * [requests#keys-and-modes]
 */
export interface Listener {
  /** 0: any free port; `ports` tells which. */
  readonly port: number
  /** A Unix socket that is listened on instead of the port. */
  readonly path?: string | null
  readonly mode: Mode | { readonly testHost: string; readonly liveHost: string }
}

export interface HttpServerNeeds {
  readonly engine: HttpEngine
  /** The address to listen on. */
  readonly host: string
  readonly listeners: readonly Listener[]
  readonly routes: readonly Route[]
  readonly keys: KeyDirectory
  readonly maxStale: Duration
  /** Null: all callers are trusted; nobody is limited, nor waits for a turn. */
  readonly counters: RateCounters | null
  /** Addresses or CIDR blocks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Origins of pages that browsers may let call us; `*`: all. */
  readonly corsOrigins: readonly string[]
  /** What the addresses of the manual's pages begin with; absent: it is not among the routes. */
  readonly docs?: string
  /** The budget of the whole process, shared with the packer. */
  readonly budget: ByteBudget
  readonly clock: Clock
  readonly newId: NewId
  readonly logger: Logger
  readonly metrics: HttpMetrics
  readonly bodyBytesMax?: number
  /** Where a file may take what comes of a body faster than it is read; absent: the system's. */
  readonly spillFolder?: string
  /** How much memory requests may take while they wait for their answers. */
  readonly roomBytesMax?: number
  readonly timing?: Partial<DispatchNeeds['timing'] & { readonly deadlineStepMs: number }>
}

export interface HttpServer {
  /** The ports, in the order of the listeners. */
  readonly ports: readonly number[]
  /** How many requests have no answer yet. */
  readonly open: number
  /** Has every key looked up again: after a revocation, a new tier or a moved clock. */
  forgetKeys(): void
  /**
   * Stops accepting, answers what is in flight with `Connection: close`, and resolves when all of
   * it is answered, or after `deadlineMs`, when the rest is hung up on.
   */
  stop(deadlineMs: number): Promise<void>
}

/** Throws an Error that names the port when it is taken. */
export async function openHttpServer(options: HttpServerNeeds): Promise<HttpServer> {
  const { engine, clock } = options
  const { deadlineStepMs = limits.deadlineStepMs, ...timing } = options.timing ?? {}
  const live = exchanges(clock, deadlineStepMs)
  const auth = authenticator(options)
  const { budget, bodyBytesMax = limits.bodyBytesMax } = options
  let stopped: Promise<void> | null = null
  let stage: 'open' | 'closing' | 'closed' = 'open'
  const ports: DispatchNeeds = {
    ...options,
    auth,
    router: router(options.routes),
    exchanges: live,
    turns: options.counters === null ? nobodyWaits : bodyTurns(),
    strangers: openStrangers(),
    inflating: openInflating({ budget, bytesMax: bodyBytesMax }),
    rates: rates(options.counters),
    clientAddress: options.counters === null ? null : clientAddress(options.trustedProxies),
    cors: cors(options.corsOrigins),
    room: byteBudget(options.roomBytesMax ?? heapBytesMax * limits.requestsHeapShare),
    tell: nowAndThen(options.logger),
    bodyBytesMax,
    spillFolder: options.spillFolder ?? tmpdir(),
    timing: { ...limits, ...timing },
    stage: () => stage,
  }
  const opened: Opened[] = []
  try {
    for (const listener of options.listeners) opened.push(await listen(options, ports, listener))
  } catch (error) {
    unlisten()
    live.close()
    throw error
  }
  const gate = descriptorGate({ pause, resume: listenAgain }, options.logger)
  return {
    ports: opened.map(({ port }) => port),
    get open() {
      return live.open
    },
    forgetKeys: auth.forget,
    stop,
  }

  function stop(deadlineMs: number): Promise<void> {
    stopped ??= wind(deadlineMs)
    return stopped
  }

  async function wind(deadlineMs: number): Promise<void> {
    stage = 'closing'
    gate.close()
    unlisten()
    live.endFlowing()
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMs)
    })
    await Promise.race([live.drained(), deadline])
    clearTimeout(timer)
    stage = 'closed'
    live.abandon()
    live.close()
    for (const { app } of opened) app.close?.()
  }

  function pause(): void {
    ports.tell({}, 'Few descriptors are left: connections are refused until there are more')
    unlisten()
  }

  function unlisten(): void {
    for (const one of opened) {
      if (one.socket !== null) engine.uws.us_listen_socket_close(one.socket)
      one.socket = null
    }
  }

  async function listenAgain(): Promise<boolean> {
    for (const one of opened) {
      if (one.socket !== null) continue
      const socket = await listening(one.app, { host: options.host, ...one })
      // Stopped meanwhile, or another program took the port; it is tried again.
      if (socket === false) return false
      one.socket = socket
      if (stage !== 'open') unlisten()
    }
    return true
  }
}

interface Opened {
  readonly app: UwsApp
  readonly port: number
  readonly path: string | null
  /** Null while it does not listen. */
  socket: ListenSocket | null
}

async function listen(
  { engine, host }: HttpServerNeeds,
  ports: DispatchNeeds,
  { mode, port, path = null }: Listener,
): Promise<Opened> {
  const app = engine.uws.App()
  app.any('/*', dispatcher(ports, modeOf(mode)))
  const socket = await listening(app, { host, port, path })
  if (socket !== false) return { app, socket, path, port: engine.uws.us_socket_local_port(socket) }
  const where = path ?? `${host}:${port}`
  throw new Error(`Cannot listen on ${where}: it is taken, or not ours to use.`)
}

interface Door {
  readonly host: string
  readonly port: number
  readonly path: string | null
}

function listening(app: UwsApp, { host, port, path }: Door): Promise<ListenSocket | false> {
  return new Promise((resolve) => {
    if (path === null) app.listen(host, port, listenExclusively, resolve)
    else app.listen_unix(resolve, path)
  })
}

function modeOf(mode: Listener['mode']): (host: string) => Mode | null {
  if (typeof mode === 'string') return () => mode
  const [test, live] = [mode.testHost.toLowerCase(), mode.liveHost.toLowerCase()]
  return (host) => {
    const name = host.replace(/:\d+$/, '')
    if (host === test || name === test) return 'test'
    return host === live || name === live ? 'live' : null
  }
}
