import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'

/** A TCP proxy on 127.0.0.1 that makes the troubles of a network. */
export interface TestProxy {
  readonly port: number
  /** How many connections are open now. */
  readonly connections: number
  /** Resets all connections; new ones are let in. */
  cut(): void
  /** While true, every new connection is reset at once. */
  refuse(on: boolean): void
  /** While true, bytes are held back in both directions; then they go on, and none is lost. */
  stall(on: boolean): void
  /** Each byte arrives this many milliseconds later, in both directions. */
  delay(ms: number): void
  /** Resets all connections and listens no more. */
  stop(): Promise<void>
}

export interface ProxyTarget {
  readonly host: string
  readonly port: number
}

/** The most bytes that it takes from a sender while it holds them back from the receiver. */
const heldBytesMax = 4 * 1024 * 1024

interface Troubles {
  refused: boolean
  delayMs: number
  /** `over` resolves when bytes may pass again. */
  stalled: { readonly over: Promise<void>; readonly end: () => void } | null
}

/** Carries connections to `target`, which need not listen yet. */
export async function startProxy(target: ProxyTarget): Promise<TestProxy> {
  const troubles: Troubles = { refused: false, delayMs: 0, stalled: null }
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  const port = await listen(server)
  return {
    port,
    get connections() {
      return Math.ceil(open.size / 2)
    },
    cut,
    refuse: (on) => {
      troubles.refused = on
    },
    stall,
    delay: (ms) => {
      troubles.delayMs = ms
    },
    stop,
  }

  function accept(near: Socket): void {
    near.on('error', ignored)
    if (troubles.refused) {
      near.resetAndDestroy()
      return
    }
    // A connection that one side has closed may still carry the other side's answer.
    const far = connect({ ...target, allowHalfOpen: true, noDelay: true })
    far.on('error', ignored)
    pair(near, far)
    pair(far, near)
  }

  function pair(one: Socket, other: Socket): void {
    open.add(one)
    one.once('close', () => {
      open.delete(one)
      // It broke instead of ending, and the other side must see that.
      if (!one.readableEnded) other.resetAndDestroy()
    })
    carry(one, other, troubles)
  }

  function cut(): void {
    for (const socket of open) socket.resetAndDestroy()
  }

  function stall(on: boolean): void {
    if (on) troubles.stalled ??= pending()
    else {
      troubles.stalled?.end()
      troubles.stalled = null
    }
  }

  async function stop(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    cut()
    stall(false)
    await closed
  }
}

/** Passes all bytes from one side to the other, in order, each after the troubles of its moment. */
function carry(from: Socket, to: Socket, troubles: Troubles): void {
  let last = Promise.resolve()
  let heldBytes = 0
  from.on('data', (bytes: Buffer) => {
    heldBytes += bytes.length
    if (heldBytes > heldBytesMax) from.pause()
    pass(async () => {
      await write(to, bytes)
      heldBytes -= bytes.length
      if (heldBytes <= heldBytesMax) from.resume()
    })
  })
  from.once('end', () => pass(async () => void to.end()))

  function pass(effect: () => Promise<void>): void {
    // From now on, not from when earlier bytes have passed: a delay does not bound the bytes a
    // second.
    const delayed = troubles.delayMs > 0 ? sleep(troubles.delayMs) : null
    last = last.then(async () => {
      if (delayed !== null) await delayed
      while (troubles.stalled !== null) await troubles.stalled.over
      await effect()
    })
  }
}

/** Answers when the system has taken the bytes, or the connection is closed. */
const write = (to: Socket, bytes: Buffer): Promise<void> =>
  new Promise((done) => {
    to.write(bytes, () => done())
  })

function pending(): { readonly over: Promise<void>; readonly end: () => void } {
  let end: () => void = ignored
  const over = new Promise<void>((done) => {
    end = done
  })
  return { over, end }
}

async function listen(server: Server): Promise<number> {
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return port
}

function ignored(): void {
  // What has broken is closed, and so is its other side.
}
