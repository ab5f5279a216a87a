import { limits } from '../../limits.ts'
import type { ClockNeeds } from '../../operations/clock/advance-clock.ts'
import { advanceClock } from '../../operations/clock/advance-clock.ts'
import { clockAdvance, clockView } from '../../wire/clock.ts'
import { parse } from '../http/parse.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route } from '../http/route.ts'

export interface ClockRouteNeeds extends ClockNeeds {
  /** Called when a clock was moved: the edge remembers clocks together with the keys. */
  readonly onMoved: () => void
}

/** The test clock. [resources#routes-of-ours] */
export function clock(needs: ClockRouteNeeds): readonly Route[] {
  return [{ ...route('POST', '/clock/advance', 'write', advance), handlerMs: limits.clockMs }]

  async function advance(request: Request): Promise<Reply> {
    const { by } = parse(clockAdvance, request.body)
    const now = await advanceClock(needs, request.caller, by).finally(needs.onMoved)
    return ok(clockView(now))
  }
}
