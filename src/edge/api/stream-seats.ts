import { Fault } from '../../faults.ts'
import { streamLimits } from '../../operations/webhooks/stream-limits.ts'

/** How many streams may be open at a time. */
export interface StreamSeats {
  /**
   * Takes one; calling what it answers gives it back, once. Throws TOO_MANY_REQUESTS where the
   * business has all that it may, and UNAVAILABLE where the process has.
   */
  take(businessId: string): () => void
  readonly taken: number
}

export function streamSeats(
  { total, each }: { readonly total: number; readonly each: number } = {
    total: streamLimits.openMax,
    each: streamLimits.businessOpenMax,
  },
): StreamSeats {
  const held = new Map<string, number>()
  let taken = 0
  return {
    take,
    get taken() {
      return taken
    },
  }

  function take(businessId: string): () => void {
    const own = held.get(businessId) ?? 0
    if (own >= each) throw tooMany(each)
    if (taken >= total) throw full()
    held.set(businessId, own + 1)
    taken += 1
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      taken -= 1
      const left = (held.get(businessId) ?? 1) - 1
      if (left === 0) held.delete(businessId)
      else held.set(businessId, left)
    }
  }
}

const tooMany = (each: number): Fault =>
  new Fault(
    'TOO_MANY_REQUESTS',
    `A business may have ${each} streams open here at a time: end one, or try again later.`,
    { retryAfterSeconds: 5 },
  )

const full = (): Fault =>
  new Fault('UNAVAILABLE', 'All streams of this server are taken just now; try again.', {
    retryAfterSeconds: 5,
  })
