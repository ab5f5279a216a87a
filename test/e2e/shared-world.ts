import { readFileSync } from 'node:fs'
import type { Look } from '../support/pages/described-answers.ts'
import { operate } from '../support/process/operator.ts'
import { joinSharedServer } from '../support/process/shared-server.ts'
import { asking } from './asking.ts'
import type { World } from './world.ts'

/**
 * A business of its own on the server that many files share. Who ends servers, or counts what all
 * of a server does, takes a `world()` instead.
 */
export function sharedWorld({ look }: { readonly look: Look | null }): World {
  const { environment, log, own, ready } = joinSharedServer()
  const url = (which: 'test' | 'live' | 'ops' = 'test') => ready[`${which}_url`] ?? ''
  const asked = asking({ url, keys: () => own.keys, look })
  return {
    ...asked,
    ...own,
    directory: environment['DATA_DIR'] ?? '',
    environment,
    url,
    sluice: (...words) => operate(environment, words),
    get server(): never {
      return others()
    },
    get logged() {
      return readFileSync(log, 'utf8')
    },
    restart: others,
    stop: others,
    start: others,
    total: async (counter) => (await asked.metrics()).get(counter) ?? 0,
  }
}

function others(): never {
  throw new Error(
    'Other files use this server, too: take this file out of those that are `sharing`.',
  )
}
