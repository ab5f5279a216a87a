import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { SharedSignal } from '../../runtime/shared-signal.ts'
import { raised, raisesSeen } from '../../runtime/shared-signal.ts'
import type { Position, PositionScope } from '../../std/position.ts'
import { decodePosition } from '../../std/position.ts'

export interface PositionNeeds {
  readonly measuring: Pick<Measuring, 'checkpoints'>
  readonly log: PositionScope
  readonly news: MeasuredNews
}

/** When a caller that waits should look again. */
export interface MeasuredNews {
  /** Raised whenever the engine of this process has measured more. */
  readonly signal: SharedSignal
  /** For how long to wait for it, in ms: another process may have measured, and nobody says so. */
  readonly waitMs: number
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
  const { signal, waitMs } = needs.news
  const deadline = performance.now() + limits.sluiceAfterMs
  for (;;) {
    const seen = raisesSeen(signal)
    if (await passed(needs, position)) return
    if (performance.now() > deadline) {
      throw new Fault('UNAVAILABLE', 'This usage is not measured yet; try again.', {
        retryAfterSeconds: 1,
      })
    }
    await raised(signal, seen, waitMs)
  }
}

/**
 * Reads the checkpoints with one query at a time for all callers: many may wait at once, and all of
 * them look when the signal is raised. A query that was under way by then says nothing of what it
 * was raised for, so it serves nobody who comes later.
 */
export function sharedPositions(
  measuring: PositionNeeds['measuring'],
  { log, news }: Omit<PositionNeeds, 'measuring'>,
): PositionNeeds {
  let asking: { readonly seen: number; readonly answer: Answer } | null = null
  return { measuring: { checkpoints }, log, news }

  function checkpoints(): Answer {
    const seen = raisesSeen(news.signal)
    if (asking?.seen === seen) return asking.answer
    const answer = measuring.checkpoints().finally(() => {
      if (asking?.answer === answer) asking = null
    })
    asking = { seen, answer }
    return answer
  }
}

type Answer = ReturnType<PositionNeeds['measuring']['checkpoints']>

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
