import { defineConfig } from 'vitest/config'
import { skippedReporter } from './support/run/skipped-reporter.ts'

/** Where continuous integration wants the results as JSON. */
const results = process.env['TEST_RESULTS']

/**
 * Suites that break servers, or start several brokers and processes. Two of them at once on two
 * cores starve each other, until a broker that is only slow is taken for dead.
 */
const alone = [
  'test/chaos/**/*.test.ts',
  'test/e2e/degradation*.test.ts',
  'test/e2e/distributed.test.ts',
  'test/e2e/processes.test.ts',
  'test/parts/dedupe/redis-failover.test.ts',
  'test/parts/event-log/kafka-brokers.test.ts',
  'test/support/servers/kafka.test.ts',
]

/** Suites of parts, each on a database of its own: processes keep what they have loaded, too. */
const parts = ['test/engine/**/*.test.ts', 'test/operations/**/*.test.ts']

/**
 * Rules and codecs, which touch nothing outside of themselves: two threads keep what they have
 * loaded from file to file.
 */
const pure = [
  'test/edge/api/**/*.test.ts',
  'test/pages/**/*.test.ts',
  'test/rules/**/*.test.ts',
  'test/std/**/*.test.ts',
  'test/wire/**/*.test.ts',
]

/** Pure and embedded suites, plus every driver whose service the environment names. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/run/global-setup.ts'],
    reporters: ['default', skippedReporter, ...(results === undefined ? [] : [json(results)])],
    // Bounds for what hangs. What only waits, for a server or for what becomes true a moment later,
    // may take its time where everything else runs too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure,
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: parts,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...parts, ...alone],
          // Two cores: real servers and databases run beside the tests.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
    ],
  },
})

function json(outputFile: string): ['json', { outputFile: string }] {
  return ['json', { outputFile }]
}
