import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { endMark } from './support/run/progress-reporter.ts'
import { prepareKafka } from './support/servers/kafka-prepare.ts'

// All suites: `npm test` without words. Those that run one at a time wait for servers most of their
// time: the others run beside them, and give way to them. Each file is told of when it has ended;
// what both runs have to say of the whole comes when both have ended. The results of those that run
// one at a time are beside the file that TEST_RESULTS names.
await prepareKafka((text) => void process.stdout.write(`${text}\n`))
const { TEST_RESULTS: results } = process.env
const others = suites('!alone', {})
const alone = suites('alone', results === undefined ? {} : { TEST_RESULTS: `${results}.alone` })
if (others.pid !== undefined) setPriority(others.pid, 5)

process.once('SIGTERM', tell)
// A terminal sends it to the whole group. Else it came to this process alone, and is passed on.
process.once('SIGINT', (signal) => void setTimeout(tell, 500, signal).unref())

const ends = [endOf(others), endOf(alone)]
const statuses = await Promise.all([statusOf(others), statusOf(alone)])
for (const end of ends) process.stdout.write(end())
process.exitCode = statuses.find((status) => status !== 0) ?? 0

function suites(project: string, environment: Readonly<Record<string, string>>) {
  const words = ['run', '--config', 'test/vitest.config.ts', '--project', project]
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const program = [process.execPath, 'node_modules/vitest/vitest.mjs', ...words]
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
  for (const child of [others, alone]) child.kill(signal)
}

function statusOf(child: ReturnType<typeof suites>): Promise<number> {
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (status) => done(status ?? 1))
  })
}
