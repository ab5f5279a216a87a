import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { scratchDirectory } from '../process/server.ts'
import { failedFiles, havePassed } from './again.ts'

const scratch = scratchDirectory()
afterAll(() => scratch.remove())

function results(name: string, statuses: Readonly<Record<string, string>>): string {
  const testResults = Object.entries(statuses).map(([file, status]) => ({ name: file, status }))
  const path = join(scratch.path, name)
  writeFileSync(path, JSON.stringify({ testResults }))
  return path
}

it('finds each file that failed in either run, once', () => {
  const first = results('first', { a: 'passed', b: 'failed' })
  const second = results('second', { b: 'failed', c: 'failed' })
  expect(failedFiles([first, second, join(scratch.path, 'none')])).toEqual(['b', 'c'])
})

it('takes nothing for passed that did not run again, or failed again', () => {
  const again = results('again', { b: 'passed', c: 'failed' })
  expect(havePassed(['b'], again)).toBe(true)
  expect(havePassed(['b', 'c'], again)).toBe(false)
  expect(havePassed(['a', 'b'], again)).toBe(false)
  expect(havePassed(['b'], join(scratch.path, 'none'))).toBe(false)
})
