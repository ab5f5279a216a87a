import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareKafka } from './support/servers/kafka-prepare.ts'

// All suites: `npm test` without words. Those that run one at a time wait for servers most of their
// time: the others run beside them, and give way to them. What the first ones say comes when both
// have ended; their results are beside the file that TEST_RESULTS names.
await prepareKafka((text) => void process.stdout.write(`${text}\n`))
const log = join(tmpdir(), `sluice-test-${process.pid}.log`)
const out = openSync(log, 'w', 0o600)
const { TEST_RESULTS: results } = process.env
const resultsApart = results === undefined ? {} : { TEST_RESULTS: `${results}.alone` }
const others = suites('!alone', { stdio: 'inherit' })
const alone = suites('alone', {
  stdio: ['ignore', out, out],
  env: { ...process.env, ...resultsApart },
})
if (others.pid !== undefined) setPriority(others.pid, 5)

process.once('SIGTERM', tell)
// A terminal tells the whole group; whoever tells this process alone means its children.
process.once('SIGINT', (signal) => void setTimeout(tell, 500, signal).unref())

const statuses = await Promise.all([statusOf(others), statusOf(alone)])
closeSync(out)
process.stdout.write(readFileSync(log))
rmSync(log)
process.exitCode = statuses.find((status) => status !== 0) ?? 0

function suites(project: string, options: Parameters<typeof spawn>[2]) {
  const words = ['run', '--config', 'test/vitest.config.ts', '--project', project]
  return spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], options)
}

function tell(signal: NodeJS.Signals): void {
  for (const child of [others, alone]) child.kill(signal)
}

function statusOf(child: ReturnType<typeof suites>): Promise<number> {
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (status) => done(status ?? 1))
  })
}
