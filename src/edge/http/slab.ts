import { Fault } from '../../faults.ts'
import type { ByteBudget } from './budget.ts'

/** What has come of a body, in one piece of memory, which the budget counts. */
export interface Slab {
  /** How many bytes have come, without the room to grow. */
  readonly held: number
  /** Copies the chunk. Null when it fitted; else the fault of the bound or of the budget. */
  add(chunk: ArrayBuffer): Fault | null
  /** All bytes, not copied; valid until the release. */
  bytes(): Buffer
  release(): void
}

const bytesMin = 4_096
/** One for all: most requests make no other object of this kind. */
const nothing = Buffer.alloc(0)

/**
 * Grows by doubling, so that bytes are copied twice at most, but never past the announced length: a
 * body that comes in one piece takes no more room than it needs.
 */
export function slab(budget: ByteBudget, announced: number, bytesMax: number): Slab {
  const most = Math.min(announced, bytesMax)
  let memory = nothing
  const self = { held: 0, add, bytes, release }
  return self

  function add(chunk: ArrayBuffer): Fault | null {
    const needed = self.held + chunk.byteLength
    if (needed > bytesMax) return tooLarge(bytesMax)
    if (needed > memory.length && !grow(needed)) return busy()
    memory.set(new Uint8Array(chunk), self.held)
    self.held = needed
    return null
  }

  function grow(needed: number): boolean {
    const room = Math.max(needed, Math.min(most, Math.max(memory.length * 2, bytesMin)))
    if (!budget.take(room - memory.length)) return false
    const larger = Buffer.allocUnsafe(room)
    if (self.held > 0) larger.set(memory.subarray(0, self.held))
    memory = larger
    return true
  }

  function bytes(): Buffer {
    return self.held === memory.length ? memory : memory.subarray(0, self.held)
  }

  function release(): void {
    budget.give(memory.length)
    memory = nothing
    self.held = 0
  }
}

export const tooLarge = (bytesMax: number): Fault =>
  new Fault('REQUEST_TOO_LARGE', `The body is larger than ${bytesMax} bytes: send it in parts.`)

const busy = (): Fault =>
  new Fault('UNAVAILABLE', 'Too many requests are in flight just now; try again.', {
    retryAfterSeconds: 1,
  })
