import { beforeAll } from 'vitest'
import type { Invited } from '../../support/console/people.ts'
import { people } from '../../support/console/people.ts'
import type { Person } from '../../support/console/person.ts'
import type { Shop } from '../../support/console/shop.ts'
import { openShop } from '../../support/console/shop.ts'

/** The server that all suites of one test file share. */
export const at = people()

/** Who looks at the shop, and the shop: there once a suite has begun. */
export const here = {} as {
  readonly owner: Person & Invited
  readonly viewer: Person & Invited
  /** An owner of another business. */
  readonly stranger: Person & Invited
  readonly shop: Shop
}

beforeAll(async () => {
  const owner = await at.person()
  const [viewer, stranger] = await Promise.all([
    at.person(at.here(), 'viewer'),
    at.person(at.elsewhere()),
  ])
  Object.assign(here, { owner, viewer, stranger, shop: await openShop(owner) })
}, 180_000)

let moved = 0

/** They come from elsewhere: an address has a number of requests a second, and a minute. */
export function moveOn(): void {
  for (const person of [here.owner, here.viewer, here.stranger]) {
    moved += 1
    person.address = `10.4.0.${moved}`
  }
}

export type Body = Readonly<Record<string, unknown>>

export const items = ({ body }: { readonly body: Body }) => body['items'] as readonly Body[]

/** A call such as `POST payments/…/mark`, in a mode. */
export function sent(who: Person, target: string, body: Body | null, mode = 'test') {
  const [method, path] = target.split(' ')
  return who.call(`${method} /${mode}/${path}`, body === null ? {} : { body })
}
