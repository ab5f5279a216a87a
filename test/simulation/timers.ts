/** What the simulated world makes of a timer of the code in it. */
export interface TimerDesk {
  /** False: nobody in the world is running just now, so the timer is somebody else's. */
  isRunning(): boolean
  /** Milliseconds of the world. */
  now(): number
  /** Answers how to cancel it. */
  after(ms: number, work: () => void): () => void
  /** An error that nobody caught: the end of the process that runs. */
  uncaught(error: unknown): void
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  nextTick: process.nextTick,
  now: performance.now,
}

/**
 * Resolves when every promise that can go on has gone on: Node turns to what is due next only when
 * none is left. Now and then the event loop gets a turn, for signals and other work of this thread.
 */
export function settled(step: number): Promise<void> {
  return new Promise((resolve) => {
    if (step % 1_000 === 0) real.setImmediate(resolve)
    else Reflect.apply(real.nextTick, process, [resolve])
  })
}

/** As far as our code uses what Node gives it. */
class VirtualTimer {
  readonly cancel: () => void
  constructor(cancel: () => void) {
    this.cancel = cancel
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/**
 * Puts the world's time in the place of Node's, for code that runs in the world: nothing else is
 * touched, since a test runner waits in real time. Answers how to take it away again.
 */
export function installTimers(desk: TimerDesk): () => void {
  const virtual = {
    setTimeout: (work: () => void, ms = 0, ...rest: unknown[]) =>
      desk.isRunning()
        ? new VirtualTimer(desk.after(ms, work))
        : Reflect.apply(real.setTimeout, globalThis, [work, ms, ...rest]),
    setImmediate: (work: () => void, ...rest: unknown[]) =>
      desk.isRunning()
        ? new VirtualTimer(desk.after(0, work))
        : Reflect.apply(real.setImmediate, globalThis, [work, ...rest]),
    clearTimeout: (timer: unknown) =>
      timer instanceof VirtualTimer
        ? timer.cancel()
        : Reflect.apply(real.clearTimeout, globalThis, [timer]),
  }
  Object.assign(globalThis, virtual)
  performance.now = () => (desk.isRunning() ? desk.now() : Reflect.apply(real.now, performance, []))
  process.nextTick = (work: (...words: unknown[]) => void, ...rest: unknown[]): void => {
    if (!desk.isRunning()) {
      Reflect.apply(real.nextTick, process, [work, ...rest])
      return
    }
    Reflect.apply(real.nextTick, process, [guarded, ...rest])
    function guarded(...words: unknown[]): void {
      try {
        work(...words)
      } catch (error) {
        desk.uncaught(error)
      }
    }
  }
  return () => {
    const { nextTick, now, ...timers } = real
    Object.assign(globalThis, timers)
    process.nextTick = nextTick
    performance.now = now
  }
}
