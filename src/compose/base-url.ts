import type { Config } from '../config.ts'
import type { Mode } from '../rules/meter/meter.ts'

/**
 * The beginning of links in what is told without a request, such as webhooks: PUBLIC_URL, else the
 * address that this process would serve; null: its port is any free one. [requests#answers]
 */
export function baseUrl(
  { host, hosts, livePort, port, publicUrl }: Config,
  mode: Mode,
): string | null {
  if (publicUrl !== null) return publicUrl
  const own = hosts === null && mode === 'live' ? livePort : port
  if (own === 0) return null
  const name = hosts?.[mode] ?? (isEverywhere(host) ? 'localhost' : host)
  return `http://${name.includes(':') ? `[${name}]` : name}:${own}`
}

/** It listens at all addresses, of which this one always leads to it. */
const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::'
