import { Fault, notFound } from '../../faults.ts'
import type { WantedProduct } from '../../rules/commerce/catalog/product.ts'

type Asked = Partial<Pick<WantedProduct, 'entitlementIds' | 'undelivered'>>

/** There are no product entitlements to name. */
export function refuseUnknownEntitlement({ entitlementIds = [] }: Asked): void {
  const [attached] = entitlementIds
  if (attached !== undefined) throw notFound('entitlement', attached)
}

/** Refused, not ignored: a seller must not believe that buyers get what is never delivered. */
export function refuseUndelivered({ undelivered = [] }: Asked): void {
  const [field] = undelivered
  if (field === undefined) return
  throw new Fault('UNSUPPORTED_ACTION', `${field} is not supported yet: leave it out.`)
}
