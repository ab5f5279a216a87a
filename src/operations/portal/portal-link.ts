import { Fault, orNotFound } from '../../faults.ts'
import type { Businesses } from '../../parts/store/businesses.ts'
import type { Customers } from '../../parts/store/customers.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { Instant } from '../../std/instant.ts'
import { after, hour } from '../../std/instant.ts'

export interface PortalLinkNeeds {
  readonly customers: Pick<Customers, 'get'>
  readonly secrets: Secrets
}

/** How long a link lets its customer in, by the business's clock. [payments#portal] */
const lasts = 24 * hour

/** What a token of the portal says; nobody can read or change it without the secrets key. */
interface Pass {
  readonly businessId: string
  readonly customerId: string
  readonly expiresAt: number
  readonly returnUrl: string | null
}

/** A token that lets a customer into the portal for a day. 404 for an unknown customer. */
export async function newPortalToken(
  { customers, secrets }: PortalLinkNeeds,
  scope: Scope,
  of: { readonly customerId: string; readonly returnUrl: string | null; readonly at: Instant },
): Promise<string> {
  const { customerId, returnUrl, at } = of
  orNotFound(await customers.get(scope, customerId), 'customer', customerId)
  const { businessId, mode } = scope
  const pass: Pass = { businessId, customerId, expiresAt: after(at, lasts), returnUrl }
  const sealed = secrets.seal(Buffer.from(JSON.stringify(pass)), contextOf(mode))
  return Buffer.from(sealed).toString('base64url')
}

export interface PortalVisitNeeds extends PortalLinkNeeds {
  readonly businesses: Pick<Businesses, 'clockAhead'>
  readonly clock: Pick<Clock, 'now'>
}

/** Who visits the portal, and when. */
export interface PortalVisit {
  readonly scope: Scope
  readonly customer: Customer
  readonly at: Instant
  /** Where the page leads back to; null: nowhere. */
  readonly returnUrl: string | null
}

/** Lets in who has a token. Refuses: 404 what is none of this mode; 410 one that has expired. */
export async function enterPortal(
  { businesses, clock, customers, secrets }: PortalVisitNeeds,
  mode: Mode,
  token: string,
): Promise<PortalVisit> {
  const pass = passIn(secrets, mode, token)
  if (pass === null) throw unknown()
  const scope: Scope = { businessId: pass.businessId, mode }
  const at = after(clock.now(), await businesses.clockAhead(scope))
  if (at >= pass.expiresAt) {
    throw new Fault('PORTAL_LINK_EXPIRED', 'This link has expired; ask the seller for another.')
  }
  const customer = await customers.get(scope, pass.customerId)
  if (customer === null) throw unknown()
  return { scope, customer, at, returnUrl: pass.returnUrl }
}

function passIn(secrets: Secrets, mode: Mode, token: string): Pass | null {
  if (!/^[\w-]{1,4000}$/.test(token)) return null
  try {
    const opened = secrets.open(Buffer.from(token, 'base64url'), contextOf(mode))
    return JSON.parse(Buffer.from(opened).toString()) as Pass
  } catch {
    return null
  }
}

/** A token of one mode opens nothing in the other. */
const contextOf = (mode: Mode): string => `portal of ${mode} mode`

const unknown = (): Fault => new Fault('NOT_FOUND', 'There is no such portal.')
