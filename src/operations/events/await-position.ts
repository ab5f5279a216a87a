import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import { pauseFor } from '../../runtime/pause.ts'
import type { Position, PositionScope } from '../../std/position.ts'
import { decodePosition } from '../../std/position.ts'

export interface PositionNeeds {
  readonly measuring: Pick<Measuring, 'checkpoints'>
  readonly log: PositionScope
}

/**
 * Waits until measuring has passed a position from `Sluice-After`, so that a caller reads (and acts
 * on) its own usage. 422 when the position cannot be read, 503 when it takes longer than 5 s.
 * [events#read-your-own-usage]
 */
export async function awaitPosition(needs: PositionNeeds, text: string | null): Promise<void> {
  if (text === null) return
  const position = decodePosition(text, needs.log)
  if (position === null) {
    throw new Fault(
      'INVALID_REQUEST_PARAMETERS',
      'Sluice-After must be one or more Sluice-Position values of this server, separated by commas.',
    )
  }
  const deadline = performance.now() + limits.sluiceAfterMs
  for (let pauseMs = 1; !(await passed(needs, position)); pauseMs = Math.min(pauseMs * 2, 4)) {
    if (performance.now() > deadline) {
      throw new Fault('UNAVAILABLE', 'This usage is not measured yet; try again.', {
        retryAfterSeconds: 1,
      })
    }
    await pauseFor(pauseMs)
  }
}

/**
 * Reads the checkpoints with one query at a time for all callers: many may wait at once, and so
 * they may ask often. An answer can be a moment old, which costs a waiting caller one more
 * question.
 */
export function sharedCheckpoints(
  measuring: PositionNeeds['measuring'],
): PositionNeeds['measuring'] {
  let asking: ReturnType<typeof measuring.checkpoints> | null = null
  return {
    checkpoints() {
      asking ??= measuring.checkpoints().finally(() => {
        asking = null
      })
      return asking
    },
  }
}

async function passed({ measuring }: PositionNeeds, position: Position): Promise<boolean> {
  if (position.size === 0) return true
  const next = new Map(
    (await measuring.checkpoints()).map((checkpoint) => [
      checkpoint.partition,
      checkpoint.nextOffset,
    ]),
  )
  return [...position].every(([partition, offset]) => (next.get(partition) ?? 0) >= offset)
}
