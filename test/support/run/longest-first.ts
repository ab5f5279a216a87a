import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The files that take longest begin first, so that at the end no process waits for one of them. */
const longest = [
  'test/e2e/console-browser.test.ts',
  'test/e2e/moves.test.ts',
  'test/e2e/backup.test.ts',
  'test/bench.test.ts',
  'test/e2e/browser.test.ts',
  'test/cli/commands.test.ts',
  'test/e2e/stream.test.ts',
  'test/drivers/store.test.ts',
  'test/fuzz/fuzz-api.test.ts',
  'test/e2e/fuzz.test.ts',
  'test/parts/event-log/kafka.test.ts',
  'test/start.test.ts',
  'test/e2e/majors.test.ts',
  'test/support/servers/servers.test.ts',
  'test/parts/event-log/kafka-group.test.ts',
  'test/cli/listen.test.ts',
  'test/serve.test.ts',
  'test/parts/store/embedded.test.ts',
  'test/e2e/rate-limits.test.ts',
  'test/e2e/stream-processes.test.ts',
  'test/parts/store/majors.test.ts',
  'test/deploy/pictures.test.ts',
  'test/start-engine.test.ts',
  'test/e2e/concurrency.test.ts',
  'test/e2e/year.test.ts',
  'test/edge/http/flowing.test.ts',
  'test/operations/money-cuts.test.ts',
  'test/parts/store/list-plans.test.ts',
]

/** Takes the files that are named above first: a clean checkout knows no times of earlier runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
      return found === -1 ? longest.length : found
    }
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder
    return sorted.sort((a, b) => group(a) - group(b) || place(a) - place(b))
  }
}
