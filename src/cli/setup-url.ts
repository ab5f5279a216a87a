import type { Config } from '../config.ts'

/**
 * The link by which a user chooses a password. The word stands behind `#`, so that neither a proxy
 * nor a log gets it. `base` is where the server is, as far as is known. [security#the-console]
 */
export const setupUrlOf = (base: string, word: string): string => `${base}/console/setup#${word}`

/** Where a server of these settings is reached. */
export function consoleBaseOf({ host, hosts, port, publicUrl }: Config): string {
  if (publicUrl !== null) return publicUrl
  const reached = hosts?.test ?? (host === '0.0.0.0' || host === '::' ? 'localhost' : host)
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
