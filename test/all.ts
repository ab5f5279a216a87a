import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { failedFiles, filesAgainMax, havePassed } from './support/run/again.ts'
import { endMark } from './support/run/progress-reporter.ts'
import { prepareKafka } from './support/servers/kafka-prepare.ts'

// All suites: `npm test` without words. Those that run one at a time wait for servers most of their
// time: the others run beside them, and give way to them. Each file is told of when it has ended;
// what both runs have to say of the whole comes when both have ended. The results of those that run
// one at a time are beside the file that TEST_RESULTS names. With TEST_AGAIN=1, files that wait for
// real servers and failed run once more when all the others have ended. `--again PATHS…` does that
// with these suites alone, in one run.
await prepareKafka((text) => void process.stdout.write(`${text}\n`))
const scratch = mkdtempSync(join(tmpdir(), 'sluice-results-'))
const { TEST_AGAIN: again, TEST_RESULTS: results = join(scratch, 'results') } = process.env
const [word, ...chosen] = process.argv.slice(2)
const isChosen = word === '--again'
const children = isChosen ? [suites(chosen, results)] : halves()
let isStopped = false
process.once('SIGTERM', tell)
// A terminal sends it to the whole group. Else it came to this process alone, and is passed on.
process.once('SIGINT', (signal) => void setTimeout(tell, 500, signal).unref())

const ends = children.map(endOf)
const statuses = await Promise.all(children.map(statusOf))
for (const end of ends) process.stdout.write(end())
const failed = failedFiles([results, `${results}.alone`])
const isFew = failed.length > 0 && failed.length <= filesAgainMax
const isTriedAgain = (isChosen || again === '1') && isFew && !isStopped
if (isTriedAgain) process.exitCode = (await tryAgain(failed)) ? 0 : 1
else process.exitCode = statuses.find((status) => status !== 0) ?? 0
rmSync(scratch, { recursive: true })

function halves() {
  const others = suites(['--project', '!alone'], results)
  if (others.pid !== undefined) setPriority(others.pid, 5)
  return [others, suites(['--project', 'alone'], `${results}.alone`)]
}

/** Answers whether all of them pass; pure suites are not tried, and so do not. */
async function tryAgain(files: readonly string[]): Promise<boolean> {
  process.stdout.write(`\nFailed, and tried again by themselves:\n  ${files.join('\n  ')}\n`)
  const run = suites(['--project', '!pure', ...files], `${results}.again`)
  children.push(run)
  const end = endOf(run)
  await statusOf(run)
  process.stdout.write(end())
  return havePassed(files, `${results}.again`)
}

function suites(which: readonly string[], resultsPath: string) {
  const run = ['run', '--config', 'test/vitest.config.ts', ...which]
  const environment = { TEST_RESULTS: resultsPath }
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const program = [process.execPath, 'node_modules/vitest/vitest.mjs', ...run]
  // What it says on either way comes in the order in which it says it.
  return spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...program], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...process.env, TEST_PROGRESS: '1', ...colors, ...environment },
  })
}

/** Passes on what is said up to the mark; answers what gives the rest. */
function endOf({ stdout }: ReturnType<typeof suites>): () => string {
  let end: string | null = null
  stdout.setEncoding('utf8').on('data', (text: string) => {
    if (end !== null) {
      end += text
      return
    }
    const [now = '', ...later] = text.split(endMark)
    process.stdout.write(now)
    if (later.length > 0) end = later.join('')
  })
  return () => end ?? ''
}

function tell(signal: NodeJS.Signals): void {
  isStopped = true
  for (const child of children) child.kill(signal)
}

function statusOf(child: ReturnType<typeof suites>): Promise<number> {
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (status) => done(status ?? 1))
  })
}
