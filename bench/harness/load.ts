import { fork } from 'node:child_process'
import type { FromLoad, LoadMark, LoadOrder, ToLoad } from './load-protocol.ts'
import { onEnd } from './processes.ts'

/** The load generator, as the bench sees it. */
export interface Load {
  /** What has been answered so far. */
  mark(): Promise<LoadMark>
  /** Sends nothing more; resolves when everything that was sent is answered. */
  stop(): Promise<LoadMark>
  /** Resolves when the load has stopped by itself. */
  readonly done: Promise<LoadMark>
}

/** Starts the load; resolves when the first requests are on their way. */
export async function startLoad(order: LoadOrder): Promise<Load> {
  const child = fork(new URL('./load-child.js', import.meta.url), { stdio: 'inherit' })
  const forget = onEnd(() => child.kill('SIGKILL'))
  const marks: ((mark: LoadMark) => void)[] = []
  let last: LoadMark | null = null
  let ready: () => void = () => undefined
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const done = new Promise<LoadMark>((resolve, reject) => {
    child.on('message', (message: FromLoad) => {
      if (message.kind === 'ready') ready()
      if (message.kind === 'mark') marks.shift()?.(message.mark)
      if (message.kind === 'failed') setTimeout(reject, 1_000, failure(message.message))
      if (message.kind !== 'done') return
      last = message.mark
      for (const resolveMark of marks.splice(0)) resolveMark(message.mark)
      resolve(message.mark)
    })
    child.once('error', reject)
    child.once('exit', (status) => {
      forget()
      setTimeout(reject, 2_000, new Error(`The load generator ended with ${status}.`)).unref()
    })
  })
  // Those who wait for a mark get this failure, too; alone it must not count as unhandled.
  done.catch(() => undefined)
  await Promise.race([isReady, done])
  tell({ kind: 'begin', order })
  return { mark, stop, done }

  function mark(): Promise<LoadMark> {
    if (last !== null) return Promise.resolve(last)
    const answer = new Promise<LoadMark>((resolve) => marks.push(resolve))
    tell({ kind: 'mark' })
    return Promise.race([answer, done])
  }

  function stop(): Promise<LoadMark> {
    if (last === null) tell({ kind: 'stop' })
    return done
  }

  /** A load that has just ended by its own bound hears nothing more; `done` says how it ended. */
  function tell(message: ToLoad): void {
    if (child.connected) child.send(message, () => undefined)
  }
}

/** Reported a moment later, because a server that died leaves last words that say more. */
const failure = (message: string): Error => new Error(`The load failed: ${message}`)
