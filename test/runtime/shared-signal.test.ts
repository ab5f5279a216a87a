import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { raise, raised, raisesSeen, sharedSignal } from '../../src/runtime/shared-signal.ts'

describe('a signal between threads', () => {
  it('ends the waits of another thread, and none that begin later', async () => {
    const signal = sharedSignal()
    const seen = raisesSeen(signal)
    const raiser = new Worker(
      `const { workerData } = require('node:worker_threads')
       Atomics.add(workerData, 0, 1)
       Atomics.notify(workerData, 0)`,
      { eval: true, workerData: signal },
    )
    await Promise.all([raised(signal, seen, 60_000), raised(signal, seen, 60_000)])
    expect(raisesSeen(signal)).toBe(seen + 1)
    await raiser.terminate()
    let ended = false
    const next = raised(signal, raisesSeen(signal), 60_000).then(() => {
      ended = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(ended).toBe(false)
    raise(signal)
    await next
  })

  it('does not let a caller wait for what it has missed, nor for ever', async () => {
    const signal = sharedSignal()
    const seen = raisesSeen(signal)
    raise(signal)
    await raised(signal, seen, 60_000)
    await raised(signal, raisesSeen(signal), 5)
    expect(raisesSeen(signal)).toBe(1)
  })
})
