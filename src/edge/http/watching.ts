import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Authenticator } from './auth.ts'
import type { Exchange } from './exchange.ts'
import type { Head } from './head.ts'
import type { Route } from './route.ts'

/** An answer that goes on, with what let its caller in. */
export interface Watched {
  readonly exchange: Exchange
  readonly head: Head
  readonly mode: Mode | null
  readonly route: Pick<Route, 'visitor'> | null
}

/** How often it is looked at, and how long its client may take nothing. */
const lookMs = 2_500
export const stallMs = 10_000

// Its key is cached, and then looked at again: a revoked one ends it within 10 s.
assert(limits.keyCacheMs + lookMs + limits.keyLookupMs < 10_000)

/**
 * Looks at an answer that goes on, time and again: it ends when its key is revoked, and is hung up
 * on when its client takes nothing. [webhooks#stream]
 */
export function watch(auth: Pick<Authenticator, 'caller'>, watched: Watched): void {
  const { exchange, head, mode, route } = watched
  if (exchange.outlet !== null) exchange.expireIn(lookMs, () => void look())

  async function look(): Promise<void> {
    const outlet = exchange.outlet
    if (outlet === null || mode === null) return
    if (outlet.stalledMs() > stallMs) {
      exchange.hangUp()
      return
    }
    try {
      if (route?.visitor === undefined) await auth.caller(head.header('authorization'), mode)
      else await route.visitor(head)
    } catch {
      outlet.end()
    }
    if (!exchange.over) watch(auth, watched)
  }
}
