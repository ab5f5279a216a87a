import type { Address } from '../../std/address.ts'
import { contains, parseAddress, parseNetwork } from '../../std/address.ts'

/**
 * The address by which a request came: the socket's, or the one that trusted proxies name in
 * `X-Forwarded-For`. The same text for the same address, however it was written.
 */
export type ClientAddress = (socket: string, forwardedFor: string | null) => string

/**
 * Every proxy appends the address that it heard from, so the list is read from its end: as long as
 * an address is trusted, what it heard is believed. Whatever stands before the first stranger is
 * that stranger's own claim. [requests#limits]
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.flatMap((block) => parseNetwork(block) ?? [])
  const isTrusted = (address: Address) => networks.some((network) => contains(network, address))
  return (socket, forwardedFor) => {
    let client = parseAddress(socket)
    if (client === null) return 'unknown'
    if (forwardedFor === null || networks.length === 0) return nameOf(client)
    for (const text of forwardedFor.split(',').reverse()) {
      if (!isTrusted(client)) break
      const before = parseForwarded(text.trim())
      if (before === null) break
      client = before
    }
    return nameOf(client)
  }
}

const nameOf = (address: Address): string => address.toString(16)

/** Some proxies name the port, too: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function parseForwarded(text: string): Address | null {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1]
  return parseAddress(bare ?? text.replace(/^([^:]+):\d{1,5}$/, '$1'))
}
