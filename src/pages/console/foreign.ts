import type { Request } from '../../edge/http/route.ts'
import { Fault } from '../../faults.ts'

/** What a page of another origin cannot send without asking us first, and we never allow. */
export const ownHeader = 'sluice-console'

/**
 * Refuses what a page of somebody else makes a browser send, with the cookie in it: another port of
 * this machine is the same site to a browser, so that SameSite alone does not keep it out.
 * @throws Fault FORBIDDEN. [security#the-console]
 */
export function refuseForeign(
  request: Pick<Request, 'header' | 'method'>,
  publicUrl: string | null,
): void {
  const site = request.header('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw foreign()
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.header(ownHeader) === null || site === 'none') throw foreign()
  const origin = request.header('origin')
  // Browsers that say the site have compared the origins themselves, whatever a proxy calls us.
  if (site !== null || origin === null) return
  const hosts = [request.header('host'), publicUrl === null ? null : new URL(publicUrl).host]
  if (!URL.canParse(origin) || !hosts.includes(new URL(origin).host)) throw foreign()
}

const foreign = (): Fault =>
  new Fault('FORBIDDEN', 'Only the console itself may ask for this: open it at /console.', {
    docs: 'security#the-console',
  })
