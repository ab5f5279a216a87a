import { describe, expect, it } from 'vitest'
import { awaitPosition, sharedPositions } from '../../src/operations/events/await-position.ts'
import type { Checkpoint } from '../../src/parts/store/measuring.ts'
import { raise, sharedSignal } from '../../src/runtime/shared-signal.ts'
import { encodePosition } from '../../src/std/position.ts'

const log = { identity: 'log', partitions: 2 }
const position = encodePosition(log.identity, new Map([[1, 7]]))

describe('a caller that waits for its own usage [events#read-your-own-usage]', () => {
  it('looks once, and again only when more is measured', async () => {
    const store = checkpointsAt(3)
    const { news, needs } = needsOn(store)
    let done = false
    const waiting = awaitPosition(needs, position).then(() => {
      done = true
    })
    await turns()
    expect([store.asked, done]).toEqual([1, false])
    store.next = 6
    raise(news.signal)
    await turns()
    expect([store.asked, done]).toEqual([2, false])
    store.next = 7
    await turns()
    expect([store.asked, done]).toEqual([2, false])
    raise(news.signal)
    await waiting
    expect(store.asked).toBe(3)
  })

  it('looks by itself after a while, since others may have measured', async () => {
    const store = checkpointsAt(3)
    const { needs } = needsOn(store, 5)
    const waiting = awaitPosition(needs, position)
    await turns()
    store.next = 9
    await waiting
    expect(store.asked).toBeGreaterThan(1)
  })

  it('shares one look with all who wait', async () => {
    const store = checkpointsAt(3)
    const { news, needs } = needsOn(store)
    const waiting = Array.from({ length: 20 }, () => awaitPosition(needs, position))
    await turns()
    expect(store.asked).toBe(1)
    store.next = 8
    raise(news.signal)
    await Promise.all(waiting)
    expect(store.asked).toBe(2)
  })

  it('is not told by a look that was under way when more was measured', async () => {
    const store = checkpointsAt(3)
    const { news, needs } = needsOn(store)
    const release = store.hold()
    const first = awaitPosition(needs, position)
    await turns()
    // It has read what was there, and its answer is on the way.
    store.next = 7
    raise(news.signal)
    const second = awaitPosition(needs, position)
    await second
    release()
    await first
    expect(store.asked).toBe(3)
  })
})

const turns = () => new Promise((resolve) => setTimeout(resolve, 20))

function needsOn(store: ReturnType<typeof checkpointsAt>, waitMs = 60_000) {
  const news = { signal: sharedSignal(), waitMs }
  return { news, needs: sharedPositions(store, { log, news }) }
}

/** The checkpoint of one partition, and how often it was read. */
function checkpointsAt(next: number) {
  let held: Promise<void> | null = null
  const store = { next, asked: 0, checkpoints, hold }
  return store

  async function checkpoints(): Promise<readonly Checkpoint[]> {
    store.asked += 1
    const read = { partition: 1, nextOffset: store.next } as Checkpoint
    const waits = held
    held = null
    await waits
    return [read]
  }

  /** The next look reads at once, and answers when what this returns is called. */
  function hold(): () => void {
    let release = () => undefined as void
    held = new Promise((resolve) => {
      release = resolve
    })
    return () => release()
  }
}
