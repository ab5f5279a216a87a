// uWebSockets.js: HTTP at a tenth of the CPU of node:http. Not on the npm registry under its own
// name, so the first of three that loads is taken. [design 5]
import { createRequire } from 'node:module'
import { plainUws } from './plain.ts'
import type { Uws } from './uws-surface.ts'

export interface HttpEngine {
  readonly kind: 'official' | 'prebuilt' | 'plain'
  /** For the start-up log. */
  readonly description: string
  readonly uws: Uws
}

/** The official package if the operator installed it, the prebuilt fork, else node:http. */
export function loadHttpEngine(): HttpEngine {
  const official = attempt('uWebSockets.js')
  if (official !== null) {
    return { kind: 'official', description: 'uWebSockets.js', uws: official }
  }
  // Straight to the binary: the fork's own fallback can neither list headers nor read a query.
  const { platform, arch, versions } = process
  const binary = `binaries/uws_${platform}_${arch}_${versions.modules}.node`
  const prebuilt = attempt(`@trufflesuite/uws-js-unofficial/${binary}`)
  if (prebuilt !== null) {
    return { kind: 'prebuilt', description: 'uWebSockets.js (prebuilt fork 20.30)', uws: prebuilt }
  }
  return plainEngine()
}

/** Plain node:http behind the same surface: for platforms without a binary, and for tests. */
export function plainEngine(): HttpEngine {
  return { kind: 'plain', description: 'node:http, several times slower', uws: plainUws() }
}

const require = createRequire(import.meta.url)

function attempt(name: string): Uws | null {
  try {
    const loaded: Partial<Uws> = require(name)
    const { App, us_listen_socket_close, us_socket_local_port } = loaded
    if (!App || !us_listen_socket_close || !us_socket_local_port) return null
    return { App, us_listen_socket_close, us_socket_local_port }
  } catch {
    // Not installed, or built for another platform, C library or Node.
    return null
  }
}
