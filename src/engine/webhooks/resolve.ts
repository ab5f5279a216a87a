import { promises as dns } from 'node:dns'
import { isLocalName } from '../../rules/facts/destination.ts'
import { parseAddress } from '../../std/address.ts'

/**
 * Finds all addresses of a host. `trusted`: the operator named the host, so this machine's own view
 * of it counts.
 */
export type Resolve = (host: string, trusted: boolean) => Promise<readonly string[]>

/**
 * Asks name servers directly. The system's own lookup would wait on a thread of the small pool that
 * files and the embedded log use as well: a handful of endpoints with hanging name servers would
 * stall everything. It is used only for hosts that the operator lists, which may stand in
 * /etc/hosts.
 */
export function openResolve(): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_500, tries: 2 })
  return resolve

  async function resolve(host: string, trusted: boolean): Promise<readonly string[]> {
    if (parseAddress(host) !== null) return [host]
    if (isLocalName(host)) return ['127.0.0.1', '::1']
    if (trusted) return (await dns.lookup(host, { all: true })).map((found) => found.address)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
