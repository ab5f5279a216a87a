import type DodoPayments from 'dodopayments'
import { at } from './here.ts'
import type { Subscriber } from './plan.ts'
import { fresh } from './plan.ts'
import { checkout, pack, pays, shopper } from './shopper.ts'

type Call = (client: DodoPayments, of: Subscriber) => Promise<unknown>

/** Methods of the client about what products bring besides credits. */
export const accessCalls: Readonly<Record<string, Call>> = {
  'products.updateFiles': (client, of) =>
    client.products.updateFiles(of.productId, { file_name: 'book.pdf' }),
  'entitlements.list': (client) => client.entitlements.list(),
  'entitlements.create': (client) => client.entitlements.create(access('auto')),
  'entitlements.retrieve': async (client) =>
    client.entitlements.retrieve((await client.entitlements.create(access('auto'))).id),
  'entitlements.update': async (client) =>
    client.entitlements.update((await client.entitlements.create(access('auto'))).id, {
      name: fresh('renamed'),
    }),
  'entitlements.delete': async (client) =>
    client.entitlements.delete((await client.entitlements.create(access('auto'))).id),
  'entitlements.files.upload': uploaded,
  'entitlements.files.delete': async (client) => {
    const { file_id, id } = await uploaded(client)
    return client.entitlements.files.delete(file_id, { id })
  },
  'entitlements.grants.list': grantedOnce,
  'customers.listEntitlements': (client, of) => client.customers.listEntitlements(of.customerId),
  'customers.listEntitlementGrants': (client, of) =>
    client.customers.listEntitlementGrants(of.customerId),
  'entitlements.grants.revoke': async (client) => {
    const { grantId, id } = await grantedOnce(client)
    return client.entitlements.grants.revoke(grantId, { id })
  },
  'entitlements.grants.fulfillLicenseKey': async (client) => {
    const { grantId } = await grantedOnce(client)
    return client.entitlements.grants.fulfillLicenseKey(grantId, { key: fresh('OWN') })
  },
}

const access = (mode: 'auto' | 'manual') => ({
  name: fresh('access'),
  integration_type: 'license_key' as const,
  integration_config: { fulfillment_mode: mode },
})

/** A file of an entitlement of its own. */
export async function uploaded(client: DodoPayments) {
  const { id } = await client.entitlements.create({
    name: fresh('book'),
    integration_type: 'digital_files',
    integration_config: { digital_file_ids: [] },
  })
  const body = new FormData()
  body.append('file', new Blob(['a book']), 'book.txt')
  return { id, ...(await client.entitlements.files.upload(id, { body })) }
}

/** A grant that waits for its key. */
async function grantedOnce(client: DodoPayments) {
  const { id } = await client.entitlements.create(access('manual'))
  return { id, grantId: await boughtGrant(client, id) }
}

async function boughtGrant(client: DodoPayments, id: string): Promise<string> {
  const { productId } = await pack(at)
  await client.products.update(productId, { entitlements: [{ entitlement_id: id }] })
  const session = await checkout(at, productId)
  await shopper(at).pay(session.session_id, pays)
  const { items } = await client.entitlements.grants.list(id)
  return items[0]?.id ?? ''
}

/** An entitlement that somebody else delivers with a grant, and a grant that waits for its key. */
export async function openAccess(client: DodoPayments) {
  const { grantId: keyGrant } = await grantedOnce(client)
  const { id } = await client.entitlements.create({
    name: fresh('code'),
    integration_type: 'github',
    integration_config: { target_id: 'acme/code', permission: 'pull' },
  })
  return { id, keyGrant, grant: await boughtGrant(client, id) }
}
