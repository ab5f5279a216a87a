import type { Route } from '../edge/http/route.ts'
import { limits } from '../limits.ts'
import type { ReadTotalsNeeds } from '../operations/totals/read-totals.ts'
import { openAttempts } from '../operations/users/attempts.ts'
import { openPasswords } from '../operations/users/passwords.ts'
import type { ForeseeingNeeds } from '../pages/console/foreseeing.ts'
import { foreseeingRoutes } from '../pages/console/foreseeing.ts'
import type { ConsoleImageNeeds } from '../pages/console/images.ts'
import { consoleImageRoutes } from '../pages/console/images.ts'
import type { ConsoleLimitNeeds } from '../pages/console/limits.ts'
import { consoleMoneyRoutes } from '../pages/console/money.ts'
import type { Pulse } from '../pages/console/pulse.ts'
import { consoleRoutes } from '../pages/console/routes.ts'
import type { ThingNeeds } from '../pages/console/things.ts'
import { thingRoutes } from '../pages/console/things.ts'
import { totalsRoutes } from '../pages/console/totals.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import type { MainNeeds } from './parts.ts'
import { repositories } from './store.ts'

/** What the console serves besides what is its own: the API, and what owners do beyond it. */
export interface ConsoleApi {
  readonly api: readonly Route[]
  readonly acts: readonly Route[]
}

/** What is done and asked for in the console for which the API has no word. */
export const consoleActs = (
  needs: Parameters<typeof consoleMoneyRoutes>[0] &
    ConsoleImageNeeds &
    ForeseeingNeeds &
    ReadTotalsNeeds &
    ThingNeeds,
): readonly Route[] => [
  ...consoleMoneyRoutes(needs),
  ...foreseeingRoutes(needs),
  ...consoleImageRoutes(needs),
  ...thingRoutes(needs),
  ...totalsRoutes(needs),
]

/**
 * The console, on connections of its own: who is logged in is asked with every request of its
 * users, whatever the businesses' keys are doing.
 */
export function openConsole(
  {
    config,
    store,
    clock,
    newId,
    life,
    counters,
    pulse,
  }: MainNeeds & { readonly pulse: Pulse } & Pick<ConsoleLimitNeeds, 'counters'>,
  { api, acts }: ConsoleApi,
  forgetKeys: () => void,
): readonly Route[] {
  const db = openDb({
    url: store.url,
    connectionsMax: 2,
    name: 'sluice console',
    deadlineMs: limits.edgeStatementMs,
    allowedOff: config.databaseAllowOff,
  })
  life.own('console connections', () => db.close())
  const { changes, consoleSessions, users } = repositories(db, config)
  const { businesses, keys } = store
  return consoleRoutes(
    {
      changes,
      consoleSessions,
      users,
      businesses,
      keys,
      counters,
      pulse,
      clock,
      newId,
      publicUrl: config.publicUrl,
      attempts: openAttempts(clock),
      passwords: openPasswords(),
      onRevoked: forgetKeys,
    },
    api,
    acts,
  )
}
