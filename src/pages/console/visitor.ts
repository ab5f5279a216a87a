import type { Request, Route, Visitor } from '../../edge/http/route.ts'
import type { CurrentSessionNeeds } from '../../operations/users/current-session.ts'
import { currentSession } from '../../operations/users/current-session.ts'
import type { FoundLogIn } from '../../parts/store/console-sessions.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import { cookieWord } from './cookie.ts'
import { refuseForeign } from './foreign.ts'

export interface VisitorNeeds extends CurrentSessionNeeds {
  readonly publicUrl: string | null
}

/** The session that a request comes with. @throws Fault FORBIDDEN, UNAUTHORIZED */
export function sessionOfRequest(
  needs: VisitorNeeds,
  request: Pick<Request, 'header' | 'method'>,
): Promise<FoundLogIn> {
  refuseForeign(request, needs.publicUrl)
  return currentSession(needs, cookieWord(request, needs.publicUrl))
}

/**
 * Lets in who is logged in, as a caller of the user's business in this mode. A viewer is a caller
 * with a read-only key: the dispatcher refuses the rest.
 */
const visitorOf =
  (needs: VisitorNeeds, mode: Mode): Visitor =>
  async (head) => {
    const { session, user, clockAheadUs } = await sessionOfRequest(needs, head)
    return {
      keyId: session.sessionId,
      businessId: user.businessId,
      mode,
      access: user.role === 'owner' ? 'write' : 'read',
      clockAhead: clockAheadUs[mode],
      backfill: 0,
    }
  }

const modes: readonly Mode[] = ['test', 'live']

/**
 * Routes for those who are logged in, below `/console/api/test` and `/console/api/live`: the same
 * handlers, of both modes on either host. [security#the-console]
 */
export const forVisitors = (needs: VisitorNeeds, routes: readonly Route[]): readonly Route[] =>
  modes.flatMap((mode) => {
    const visitor = visitorOf(needs, mode)
    return routes
      .filter(({ access, pattern }) => access !== 'public' && pattern !== ingest)
      .map((route) => ({ ...route, pattern: `/console/api/${mode}${route.pattern}`, visitor }))
  })

/** Events come from programs, with a key. */
const ingest = '/events/ingest'
