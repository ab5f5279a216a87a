import { booksDashboards } from './books.ts'
import { eventsDashboards } from './events.ts'
import { machinesDashboards } from './machines.ts'
import type { Dashboard } from './panels.ts'

/** `npm test -- test/deploy/dashboards.test.ts -u` writes them as dashboards/*.json. */
export const dashboards: readonly Dashboard[] = [
  ...eventsDashboards,
  ...booksDashboards,
  ...machinesDashboards,
]
