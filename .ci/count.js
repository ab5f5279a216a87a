#!/usr/bin/env node
// Counts what runs wrote to files of results: `count.js FILES…`. Beside one may be FILE.again, with what
// failed and ran once more: what that says holds. Who reads the log has its end at hand alone: what failed
// is named there with its first words, and what passed only then, too.
import { existsSync, readFileSync } from 'node:fs'

const paths = process.argv.slice(2)
const rest = paths.map(resultsIn)
const again = paths.flatMap((path) => resultsIn(`${path}.again`).testResults)
const second = new Map(again.map((file) => [file.name, file]))
const files = rest.flatMap(({ testResults }) => testResults)
let [passed, failed] = [0, 0]
for (const first of files) {
  const file = second.get(first.name) ?? first
  const failures = failuresOf(file)
  passed += file.assertionResults.filter(({ status }) => status === 'passed').length
  failed += Math.max(failures.length, file.status === 'failed' ? 1 : 0)
  if (file !== first)
    tell('PASSED ONLY AGAIN', first, file.status === 'failed' ? [] : failuresOf(first))
  tell('FAILED', file, failures)
  if (file.status === 'failed' && failures.length === 0)
    console.log(`FAILED ${file.name}: ${file.message}`)
}
console.log(`${passed} passed, ${failed} failed`)
// A suite that could not even be read fails no test.
const isRead = rest.every(({ testResults }) => testResults.length > 0)
process.exit(isRead && failed === 0 ? 0 : 1)

function resultsIn(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [] }
}

function failuresOf({ assertionResults }) {
  return assertionResults.filter(({ status }) => status === 'failed')
}

function tell(what, { name }, failures) {
  for (const { fullName, failureMessages } of failures)
    console.log(`${what} ${name}: ${fullName}\n  ${failureMessages.join('\n').slice(0, 1500)}`)
}
