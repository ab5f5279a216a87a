import { defineConfig } from 'vitest/config'
import { builtCode, builtPaths } from './support/run/built-code.ts'
import { LongestFirst } from './support/run/longest-first.ts'
import { notedReporter } from './support/run/noted-reporter.ts'
import { ProgressReporter } from './support/run/progress-reporter.ts'

/** Where continuous integration wants the results as JSON. */
const results = process.env['TEST_RESULTS']

/** Whether `test/all.ts` shows what two runs say on one screen. */
const report = process.env['TEST_PROGRESS'] === '1' ? new ProgressReporter() : 'default'

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

/**
 * Suites of parts, each on a database of its own, and what leaves nothing behind in its process:
 * processes keep what they have loaded.
 */
const parts = [
  'test/bench/**/*.test.ts',
  'test/edge/api/**/*.test.ts',
  'test/edge/http/**/*.test.ts',
  'test/engine/**/*.test.ts',
  'test/operations/**/*.test.ts',
  'test/parts/*.test.ts',
  'test/parts/{files,kafka,papers,processors}/**/*.test.ts',
  'test/parts/dedupe/!(redis-failover).test.ts',
  'test/parts/event-log/!(kafka*).test.ts',
  'test/parts/store/!(embedded|majors).test.ts',
  'test/runtime/**/*.test.ts',
]

/**
 * Rules and codecs, which touch nothing outside of themselves: two threads keep what they have
 * loaded from file to file, and nothing is set up for them.
 */
const pure = [
  'test/config.test.ts',
  'test/model/**/*.test.ts',
  'test/pages/**/*.test.ts',
  'test/rules/**/*.test.ts',
  'test/spec/**/*.test.ts',
  'test/std/**/*.test.ts',
  'test/tidy/**/*.test.ts',
  'test/tidy.test.ts',
  'test/wire/**/*.test.ts',
]

/** Suites that ask nothing but a business of its own of the one server that all of them share. */
const sharing = [
  'api',
  'bad-input',
  'billing',
  'buying',
  'checkout',
  'checkout-requests',
  'description',
  'endings',
  'generated-client',
  'manual',
  'payments',
  'payouts',
  'plan-changes',
  'public-client',
  'races',
  'refunds',
  'two-years',
  'wire',
  'year',
].map((name) => `test/e2e/${name}.test.ts`)

const globalSetup = ['test/support/run/global-setup.ts']
const costs = 'test/support/run/costs.ts'
const setupFiles = [costs, 'test/support/run/nothing-left.ts']

/** Pure and embedded suites, plus every driver whose service the environment names. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    reporters: [report, notedReporter, ...(results === undefined ? [] : [json(results)])],
    sequence: { sequencer: LongestFirst },
    server: { deps: { external: builtPaths } },
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
          setupFiles: [costs],
          include: pure,
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        plugins: [builtCode],
        test: {
          name: 'parts',
          setupFiles: [costs],
          include: parts,
          globalSetup,
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [builtCode],
        test: {
          name: 'sharing',
          include: sharing,
          globalSetup: ['test/support/run/shared-server-setup.ts'],
          setupFiles,
          env: { TEST_ON_SHARED_SERVER: '1' },
          // A process is one business, whose clock its file may set.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [builtCode],
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...parts, ...sharing, ...alone],
          globalSetup,
          setupFiles,
          // Each file starts servers of its own, and leaves nothing behind in its process.
          isolate: false,
          // Two cores: real servers and databases run beside the tests, which wait for them.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [builtCode],
        test: {
          name: 'alone',
          include: alone,
          globalSetup,
          setupFiles,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})

function json(outputFile: string): ['json', { outputFile: string }] {
  return ['json', { outputFile }]
}
