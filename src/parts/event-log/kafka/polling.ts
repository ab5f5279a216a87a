import assert from 'node:assert/strict'
import type { LogSlice } from '../port.ts'
import type { ReadAhead } from './read-ahead.ts'
import { collect } from './read-ahead.ts'
import type { Signal } from './signal.ts'

export interface PollingNeeds {
  readonly held: () => readonly ReadAhead[]
  /** Fires when there may be something to give. */
  readonly readable: Signal
  /** Called when a poll has made room for more. */
  readonly changed: () => void
  /** The error that every poll throws from now on; null: none. */
  readonly fatal: () => Error | null
}

export interface Polling {
  poll(bytesMax: number, waitMs: number): Promise<readonly LogSlice[]>
  close(): void
}

/** Gives what was read ahead. Each poll begins with another partition. */
export function createPolling({ held, readable, changed, fatal }: PollingNeeds): Polling {
  let [turn, polling, closed] = [0, false, false]
  return { poll, close }

  async function poll(bytesMax: number, waitMs: number): Promise<readonly LogSlice[]> {
    assert(!polling, 'One poll at a time: two would each get a part of the order.')
    polling = true
    try {
      return await wait(bytesMax, performance.now() + waitMs)
    } finally {
      polling = false
    }
  }

  async function wait(bytesMax: number, deadline: number): Promise<readonly LogSlice[]> {
    for (;;) {
      const error = fatal()
      if (error !== null) throw error
      if (closed) return []
      const slices = collect(inTurn(), bytesMax)
      if (slices.length > 0) {
        turn += 1
        changed()
        return slices
      }
      const left = deadline - performance.now()
      if (left <= 0) return []
      await readable.fired(left)
    }
  }

  function inTurn(): ReadAhead[] {
    const ready = held().filter((one) => !one.paused && one.records.length > 0)
    const first = ready.length === 0 ? 0 : turn % ready.length
    return [...ready.slice(first), ...ready.slice(0, first)]
  }

  function close(): void {
    closed = true
    readable.fire()
  }
}
