// uWebSockets.js: HTTP at a tenth of the CPU of node:http. It is not on the npm registry under its
// own name, so the first of several sources that loads is used. [machines#the-http-engine]
import { createRequire } from 'node:module'
import { limits } from '../../limits.ts'
import { broughtEngine } from './official.ts'
import { plainUws } from './plain.ts'
import type { Uws } from './uws-surface.ts'

export interface HttpEngine {
  /** The value of the metric `http_engine`. */
  readonly kind: 'uws_official' | 'uws_prebuilt' | 'node_http'
  /** For the start-up log, and for readers of bench results. */
  readonly description: string
  /** Why a faster or newer one does not run; null: there is none. */
  readonly why: string | null
  readonly uws: Uws
}

/**
 * The official package if the operator installed it, else the official build that the set-up
 * downloaded, else the prebuilt one of the registry, else node:http.
 */
export function loadHttpEngine(): HttpEngine {
  const installed = attempt('uWebSockets.js')
  if (installed !== null) return official('uWebSockets.js, as installed', installed)
  const brought = broughtEngine()
  const loaded = brought?.path == null ? null : attempt(brought.path)
  if (brought !== null && loaded !== null) {
    return official(`uWebSockets.js ${brought.tag}, the official build`, loaded)
  }
  const why = brought?.why ?? 'There is no official build of uWebSockets.js for this Node here.'
  const { platform, arch, versions } = process
  const prebuilt = attempt(`@uwsjs/${platform}-${arch}-${versions.node.split('.')[0]}`)
  if (prebuilt === null) return { ...plainEngine(), why }
  return {
    kind: 'uws_prebuilt',
    description: 'uWebSockets.js v20.51 (prebuilt)',
    why: brought === null ? null : why,
    uws: prebuilt,
  }
}

/** Plain node:http behind the same surface: for platforms without a binary, and for tests. */
export function plainEngine(): HttpEngine {
  const description = 'node:http, several times slower'
  return { kind: 'node_http', description, why: null, uws: plainUws() }
}

const official = (description: string, uws: Uws): HttpEngine => ({
  kind: 'uws_official',
  description,
  why: null,
  uws,
})

// The binary reads this when it is loaded. Above it the HTTP engine refuses a head by itself, in
// HTML; and its own default of 4 KiB would be less than what we promise to take.
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(4 * limits.headBytesMax)

const require = createRequire(import.meta.url)

function attempt(name: string): Uws | null {
  try {
    const loaded: Partial<Uws> = require(name)
    const { App, us_listen_socket_close, us_socket_local_port } = loaded
    if (!App || !us_listen_socket_close || !us_socket_local_port) return null
    return { App, us_listen_socket_close, us_socket_local_port }
  } catch {
    // It is not installed, or built for another platform, C library or Node.
    return null
  }
}
