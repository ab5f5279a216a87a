import { describe, expect, it } from 'vitest'
import { doubles, words } from '../../../src/rules/meter/column.ts'

describe('a column', () => {
  it('holds what was pushed, past any size it began with', () => {
    const column = words()
    for (let value = 0; value < 5_000; value += 1) column.push(value)
    expect([...column.done()]).toEqual(Array.from({ length: 5_000 }, (_, index) => index))
  })

  it('holds what was appended, however much comes at once', () => {
    const column = doubles()
    column.push(0.5)
    column.append(new Float64Array(1_023).fill(2))
    column.append(new Float64Array(9_000).fill(3))
    column.push(-1)
    const done = column.done()
    expect([done.length, done[0], done[1_023], done[1_024], done[10_024]]).toEqual([
      ...[10_025, 0.5, 2, 3, -1],
    ])
  })

  it('is handed over whole, and no larger', () => {
    const column = words()
    column.push(7)
    expect(column.done().buffer.byteLength).toBe(4)
  })
})
