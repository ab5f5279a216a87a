import { expect, it } from 'vitest'
import { callFailed, openPartitionQueues, partDone } from '../../src/runtime/partition-queues.ts'

const callOf = (left: number) => ({ left, over: false })

it('ends a call with its last part, or with the first that fails, once', () => {
  const well = callOf(2)
  expect([partDone(well), well.over, partDone(well), well.over]).toEqual([false, false, true, true])
  expect([partDone(well), callFailed(well)]).toEqual([false, false])
  const ill = callOf(2)
  expect([callFailed(ill), callFailed(ill), partDone(ill)]).toEqual([true, false, false])
})

it('takes in order what fits, and at least one part', () => {
  const queues = openPartitionQueues()
  const parts = [3, 4, 5, 20].map((bytes) => ({ bytes, call: callOf(1) }))
  for (const part of parts) queues.add(7, part)
  const bytesOf = (taken: readonly { readonly bytes: number }[]) => taken.map(({ bytes }) => bytes)
  const taken = queues.take(7, 10)
  expect(bytesOf(taken)).toEqual([3, 4])
  queues.putBack(7, taken)
  expect(queues.all().map(bytesOf)).toEqual([[], [], [], [], [], [], [], [3, 4, 5, 20]])
  expect([queues.take(7, 7), queues.take(7, 10), queues.take(7, 10)].map(bytesOf)).toEqual([
    [3, 4],
    [5],
    [20],
  ])
  expect(queues.isEmpty(7)).toBe(true)
})

it('gives nobody what belongs to a call that is over, and makes it weigh nothing', () => {
  const queues = openPartitionQueues()
  const over = { left: 1, over: true }
  const live = { bytes: 20, call: callOf(1) }
  for (const part of [{ bytes: 99, call: over }, live, { bytes: 99, call: over }])
    queues.add(0, part)
  expect(queues.isWaitedFor(0)).toBe(true)
  expect(queues.take(0, 20)).toEqual([live])
  queues.add(1, { bytes: 1, call: over })
  expect(queues.isWaitedFor(1)).toBe(false)
  expect([...queues.partitions()]).toEqual([])
})
