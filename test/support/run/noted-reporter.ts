import { readFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { isLong } from './long.ts'

/**
 * Lists at the end what a green run would hide: what was skipped, and what tried less than it does
 * at length. The name of a skipped suite says which variable enables it.
 */
export const notedReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const names = skipped.map(({ fullName }) => `  ${fullName}`)
    if (names.length > 0) process.stdout.write(`\nSkipped:\n${names.join('\n')}\n`)
    const short = isLong ? [] : modules.filter(hasLongForm).map(nameOf)
    if (short.length > 0)
      process.stdout.write(`\nShort, and at length where TEST_LONG=1: ${short.join(', ')}\n`)
  },
}

const hasLongForm = ({ moduleId }: TestModule): boolean =>
  /\/run\/(long|runs)\.ts'/.test(readFileSync(moduleId, 'utf8'))

const nameOf = ({ moduleId }: TestModule): string =>
  moduleId.replace(/^.*\/test\//, '').replace(/\.test\.ts$/, '')
