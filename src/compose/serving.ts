import type { Config } from '../config.ts'
import type { Listener } from '../edge/http/server.ts'

/** What the settings say of serving. */
export const servingOf = (config: Config) => ({
  host: config.host,
  listeners: listenersOf(config),
  maxStale: config.maxStale,
  trustedProxies: config.trustedProxies,
  corsOrigins: config.corsOrigins,
  // Where uploads go, or wait for the storage, there is room for what comes faster than it is kept.
  spillFolder: config.dataDir,
  docs: `${config.publicUrl ?? ''}/docs/`,
})

/** The ports, in the order in which their servers say which they have. */
function listenersOf(config: Config): readonly Listener[] {
  const { hosts, port, livePort } = config
  if (hosts !== null) return [{ port, mode: { testHost: hosts.test, liveHost: hosts.live } }]
  return [
    { port, mode: 'test' },
    { port: livePort, mode: 'live' },
  ]
}

/** Where each mode is served; `ports`: those of the listeners. */
export function urlsOf(config: Config, [test, live]: readonly number[]) {
  // With host names one port serves both modes, and refuses requests that name its address instead.
  const hosts = config.hosts ?? { test: config.host, live: config.host }
  return { test: urlOf(hosts.test, test), live: urlOf(hosts.live, live ?? test) }
}

const urlOf = (host: string, port: number | undefined): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port ?? 0}`
