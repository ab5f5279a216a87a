import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Browsers } from '../../support/console/browsing.ts'
import { openBrowsers } from '../../support/console/browsing.ts'
import type { Invited } from '../../support/console/people.ts'
import { people } from '../../support/console/people.ts'
import type { Person } from '../../support/console/person.ts'
import type { Shop } from '../../support/console/shop.ts'
import { openShop } from '../../support/console/shop.ts'
import { chromiumMissing } from '../../support/pages/browser.ts'

/** The server that all suites of one test file share. */
export const at = people()

/** Who looks at the shop, and by which browsers: there once a suite has begun. */
export const here = {} as {
  readonly owner: Person & Invited
  readonly viewer: Person & Invited
  readonly shop: Shop
}

let browsers: Browsers | null = null

export function browsing(
  ...of: Parameters<Browsers['browsing']>
): ReturnType<Browsers['browsing']> {
  if (browsers === null) throw new Error('No browser is open yet.')
  return browsers.browsing(...of)
}

beforeAll(async () => {
  if (chromiumMissing !== null) return
  browsers = await openBrowsers(at.base())
  const owner = await at.person()
  const viewer = await at.person(at.here(), 'viewer')
  Object.assign(here, { owner, viewer, shop: await openShop(owner) })
}, 180_000)
afterEach(() => browsers?.leave())
afterAll(async () => {
  await browsers?.close()
  expect(browsers?.complaints ?? []).toEqual([])
})
