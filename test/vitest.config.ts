import { defineConfig } from 'vitest/config'

/** Pure and embedded suites, plus every driver whose service the environment names. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: real servers and databases run beside the tests.
    maxWorkers: 2,
    pool: 'forks',
  },
})
