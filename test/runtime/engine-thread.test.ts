import { expect, it } from 'vitest'
import { loadEngine } from '../../src/runtime/engine-thread.ts'

/** A thread that takes its time to load, and says how it ends on a channel of its own. */
const slow = `
  import { BroadcastChannel, parentPort } from 'node:worker_threads'
  const until = performance.now() + 200
  while (performance.now() < until);
  parentPort.once('message', ({ kind }) => {
    new BroadcastChannel('engine').postMessage(kind)
    setTimeout(() => process.exit(0), 10)
  })`

it('a thread that was never started loads to the end before it ends', async () => {
  const channel = new BroadcastChannel('engine')
  const told = new Promise((heard) => {
    channel.onmessage = ({ data }: MessageEvent) => heard(data)
  })
  const engine = loadEngine(new URL(`data:text/javascript,${encodeURIComponent(slow)}`))
  await engine.leave()
  expect(await told).toBe('leave')
  channel.close()
})

it('one that could not be loaded holds up nobody', async () => {
  const engine = loadEngine(new URL('data:text/javascript,throw new Error("no such code")'))
  await engine.leave()
  const needs = { data: {}, moved: null } as never
  await expect(engine.start(needs)).rejects.toThrow('no such code')
})
