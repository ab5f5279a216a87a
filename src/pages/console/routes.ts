import type { Route } from '../../edge/http/route.ts'
import { exportRoutes } from './exports.ts'
import type { ConsoleKeyNeeds } from './keys.ts'
import { consoleKeyRoutes } from './keys.ts'
import type { ConsoleLimitNeeds } from './limits.ts'
import { consoleLimitRoutes } from './limits.ts'
import { meterPreviewRoutes } from './meter-preview.ts'
import type { OverviewNeeds } from './overview.ts'
import { overviewRoutes } from './overview.ts'
import type { PeopleNeeds } from './people.ts'
import { peopleRoutes } from './people.ts'
import { shellRoutes } from './shell.ts'
import { forVisitors } from './visitor.ts'

export type ConsoleNeeds = PeopleNeeds & ConsoleKeyNeeds & ConsoleLimitNeeds & OverviewNeeds

/**
 * The console: its page, who is logged in, and the routes of the API for those who are. `api` are
 * the very routes that keys call, `acts` those for which keys have no word.
 */
export const consoleRoutes = (
  needs: ConsoleNeeds,
  api: readonly Route[],
  acts: readonly Route[],
): readonly Route[] => [
  ...shellRoutes(),
  ...peopleRoutes(needs),
  ...forVisitors(needs, [
    ...api,
    ...acts,
    ...exportRoutes([...api, ...consoleKeyRoutes(needs)]),
    ...meterPreviewRoutes(api),
    ...overviewRoutes(needs),
    ...consoleKeyRoutes(needs),
    ...consoleLimitRoutes(needs),
  ]),
]
