import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'

/** Where to write what each file costs, a line each: CPU seconds, seconds, and the file. */
const path = process.env['TEST_COSTS']
/** A process that runs one file alone has loaded the file by then; that counts, too. */
const isFirst = !hasRunOne()
let [began, beganMs] = [0, 0]

if (path !== undefined) {
  beforeAll(() => {
    if (!isFirst) [began, beganMs] = [cpuSeconds(), performance.now()]
  })
  afterAll(() => {
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1)
    const file = expect.getState().testPath?.replace(/^.*\/test\//, '')
    appendFileSync(path, `${(cpuSeconds() - began).toFixed(2)}\t${seconds}\t${file}\n`)
  })
}

function hasRunOne(): boolean {
  const mark = Symbol.for('sluice.has-run-a-file')
  const had = mark in globalThis
  Object.assign(globalThis, { [mark]: true })
  return had
}

/**
 * Of this process and of those of its children that have ended: pure suites share a process, so
 * each of two that run at once has some of the other's.
 */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
  return ticks / ticksASecond
}

const ticksASecond = 100
