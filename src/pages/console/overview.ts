import type { Outlet } from '../../edge/http/flowing.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { ok, route } from '../../edge/http/route.ts'
import { Fault } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Scope } from '../../parts/store/scope.ts'
import { pulseView } from '../../wire/console-pulse.ts'
import type { Pulse } from './pulse.ts'

export interface OverviewNeeds {
  readonly pulse: Pulse
  readonly businesses: Pick<Businesses, 'scopes'>
}

/** Open at a time in one process: each costs a write a second. */
const streamsMax = 200

/**
 * How things are going, as it goes and as it went. The lag of all businesses together is for
 * a business that is alone on its server: others would see through it how much their neighbours do.
 */
export function overviewRoutes({ pulse, businesses }: OverviewNeeds): readonly Route[] {
  let open = 0
  return [
    route('GET', '/overview', 'read', history),
    route('GET', '/overview/stream', 'read', stream),
  ]

  async function history(request: Request): Promise<Reply> {
    const span = request.query('span') ?? 'hour'
    if (span !== 'hour' && span !== 'day') {
      throw new Fault('INVALID_QUERY_PARAMS', 'span must be hour or day.')
    }
    const alone = await isAlone()
    const items = pulse.history(request.caller, span).map((one) => pulseView(one, alone))
    return ok({ items })
  }

  async function stream({ caller, onOver }: Request): Promise<Reply> {
    if (open >= streamsMax) {
      throw new Fault('UNAVAILABLE', 'Too many people look at this now; try again later.')
    }
    const alone = await isAlone()
    open += 1
    onOver(() => {
      open -= 1
    })
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      },
      flowing: {
        beginning: textOf(caller, alone),
        filler: ':\n\n',
        opened: (outlet) => onOver(pulse.follow(told(outlet, caller, alone))),
      },
    }
  }

  function told(outlet: Outlet, scope: Scope, alone: boolean): () => void {
    let waits = false
    // A client that reads slowly is left out until it has caught up: only the latest matters.
    return () => {
      if (outlet.over || waits || outlet.write(textOf(scope, alone))) return
      waits = true
      void outlet.drained().then(() => {
        waits = false
      })
    }
  }

  function textOf(scope: Scope, alone: boolean): string {
    return `event: pulse\ndata: ${JSON.stringify(pulseView(pulse.now(scope), alone))}\n\n`
  }

  /** Each business has two modes. */
  async function isAlone(): Promise<boolean> {
    return (await businesses.scopes({ businessId: null, mode: null }, 3)).length <= 2
  }
}
