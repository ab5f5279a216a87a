import { setTimeout as sleep } from 'node:timers/promises'
import type { Greed } from '../support/edge/greedy.ts'
import { startGreed } from '../support/edge/greedy.ts'
import { makeBusiness, makeKey } from './operator.ts'
import type { Random } from './random.ts'

/** The greedy business, and the one beside it. */
export interface Tenants {
  /** Where the next request goes. */
  readonly url: () => string
  /** A key of the business whose books are compared. */
  readonly key: string
  /** A key of another business. */
  readonly writeKey: string
  readonly readKey: string
}

/** How long others may have to wait until they are served at all. */
const patienceMs = 60_000

/** Makes one more business, which will take all that it can. */
export async function openTenants(
  own: Pick<Tenants, 'url' | 'key'>,
  environment: Readonly<Record<string, string>>,
): Promise<Tenants> {
  const business = await makeBusiness('Greedy', environment)
  const writeKey = await makeKey(business, environment)
  const readKey = await makeKey(business, environment, '--read-only')
  return { ...own, writeKey, readKey }
}

export interface GreedyScene {
  readonly tenants: Tenants
  readonly random: Random
  readonly wrong: (what: string) => void
  /**
   * True when no other fault strikes meanwhile: then nobody beside the greedy one may be refused.
   */
  readonly isAlone: boolean
}

/**
 * Takes everything that can be had, for some seconds. The catalog that is changed all the time is
 * that of the business whose books are compared, so that it moves under what is being measured.
 */
export async function beGreedy(kind: Greed, scene: GreedyScene): Promise<void> {
  const { isAlone, random, tenants, wrong } = scene
  await served(scene, kind)
  const writeKey = kind === 'catalog churn' ? tenants.key : tenants.writeKey
  const greed = startGreed(kind, { ...tenants, writeKey, customerId: null })
  const until = performance.now() + random.between(1_500, 6_000)
  while (performance.now() < until) {
    for (const path of paths) {
      const status = await statusOf(tenants, path)
      if (isAlone && status !== 200) wrong(`${path} was answered ${status} beside ${kind}`)
    }
    await sleep(50)
  }
  await served(scene, kind)
  const answers = await greed.stop()
  if (answers['500'] !== undefined) wrong(`${kind} was answered 500`)
}

/** Two reads: of a row, and of something that must be searched for. */
const paths = ['/customers?page_size=1', '/events?event_name=nobody&page_size=1'] as const

/** Waits until both are answered. */
async function served({ tenants, wrong }: GreedyScene, kind: Greed): Promise<void> {
  const until = performance.now() + patienceMs
  for (const path of paths) {
    while ((await statusOf(tenants, path)) !== 200) {
      if (performance.now() > until) return wrong(`${path} was not served for long beside ${kind}`)
      await sleep(100)
    }
  }
}

/** The status of an answer; 0: no answer. */
async function statusOf({ key, url }: Tenants, path: string): Promise<number> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const signal = AbortSignal.timeout(30_000)
    const answer = await fetch(`${url()}${path}`, { headers, signal })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
