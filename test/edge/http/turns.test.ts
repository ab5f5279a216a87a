import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { turns } from '../../../src/edge/http/turns.ts'

const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('lets who comes alone go on at once', async () => {
  const { wait } = turns({ sliceMs: 1_000, waitMs: 1_000 })
  expect(wait('one')).toBeNull()
  expect(wait('one')).toBeNull()
  await turn()
  expect(wait('one')).toBeNull()
})

it('serves first who came first, a slice at a time, and all else in between', async () => {
  const { wait } = turns({ sliceMs: 4, waitMs: 1_000 })
  const order: string[] = []
  const come = async (name: string) => {
    const mine = wait('one')
    if (mine !== null) await mine
    order.push(name)
    work(3)
  }
  const names = Array.from({ length: 8 }, (_, index) => `${index}`)
  const all = Promise.all(names.map(come))
  let others = 0
  for (; order.length < names.length; others += 1) await turn()
  await all
  expect(order).toEqual(names)
  // Two fit into a slice, because one that has begun may finish.
  expect(others).toBeGreaterThanOrEqual(3)
})

it('serves businesses by turns, however many of one wait', async () => {
  const { wait } = turns({ sliceMs: 4, waitMs: 1_000 })
  const order: string[] = []
  const come = async (name: string) => {
    const mine = wait(name)
    if (mine !== null) await mine
    order.push(name)
    work(5)
  }
  const all = [...Array(8).fill('greedy'), 'victim', 'another', 'victim'].map(come)
  await Promise.all(all)
  expect(order.slice(0, 5)).toEqual(['greedy', 'greedy', 'victim', 'another', 'greedy'])
  expect(order.indexOf('victim', 3)).toBe(5)
})

it('makes nobody overtake who waits', async () => {
  const { wait } = turns({ sliceMs: 1, waitMs: 1_000 })
  expect(wait('one')).toBeNull()
  work(2)
  const order: string[] = []
  const first = wait('one')?.then(() => order.push('first'))
  await turn()
  const second = (wait('one') ?? Promise.resolve()).then(() => order.push('second'))
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
})

it('refuses who would be served too late, those who came and those who wait', async () => {
  const { wait } = turns({ sliceMs: 1, waitMs: 5 })
  expect(wait('one')).toBeNull()
  work(2)
  const first = wait('one')
  work(6)
  expect(() => wait('one')).toThrow('Too many requests wait')
  await expect(first).rejects.toThrow('Too many requests wait')
  // Where the slice that refused it is over by now, the next turn begins another one.
  await turn()
  await turn()
  expect(wait('one')).toBeNull()
})

it('leaves the thread to all else for a while after a slice, where it is told to', async () => {
  const { wait } = turns({ sliceMs: 1, restMs: () => 20, waitMs: 1_000 })
  const since = performance.now()
  expect(wait('one')).toBeNull()
  work(2)
  await wait('one')
  expect(performance.now() - since).toBeGreaterThan(20)
})

it('lets who would be one too many go on at once', async () => {
  const { wait } = turns({ sliceMs: 1, waitMs: 1_000, waitingMax: 2 })
  expect(wait('one')).toBeNull()
  work(2)
  const all = [wait('one'), wait('another')]
  expect(all).not.toContain(null)
  expect(wait('third')).toBeNull()
  await Promise.all(all)
  work(2)
  expect(wait('third')).not.toBeNull()
})
