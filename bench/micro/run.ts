import { fork } from 'node:child_process'
import { onEnd } from '../harness/processes.ts'
import type { Result } from '../harness/result.ts'
import type { Size } from '../harness/sizes.ts'

/** `smoke` proves that it runs, `full` that it is fast. */
export type MicroSize = 'smoke' | 'full'

const names = [
  'measure',
  'fingerprint',
  'taking',
  'rates',
  'dedupe',
  'redis-dedupe',
  'redis-buckets',
  'archive',
] as const

/**
 * Each bench runs in a process of its own, so that what one has warmed up or littered does not show
 * in the next.
 */
export async function benchMicro(size: Size): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const name of names)
    results.push(await runApart(name, size.name === 'smoke' ? 'smoke' : 'full'))
  return results
}

function runApart(name: (typeof names)[number], size: MicroSize): Promise<Result> {
  const child = fork(new URL(`./${name}.js`, import.meta.url), [size], { stdio: 'inherit' })
  const forget = onEnd(() => child.kill('SIGKILL'))
  return new Promise((done, failed) => {
    child.once('message', (result: Result) => done(result))
    child.once('error', failed)
    child.once('exit', (status) => {
      forget()
      failed(new Error(`The bench of ${name} ended with ${status}.`))
    })
  })
}

/** Runs `bench` where this is the child's entry, and tells the result. */
export async function asChild(
  entry: string,
  bench: (size: MicroSize) => Result | Promise<Result>,
): Promise<void> {
  if (new URL(entry).pathname !== process.argv[1]) return
  const result = await bench(process.argv[2] === 'smoke' ? 'smoke' : 'full')
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else process.send(result, () => process.disconnect())
}

/**
 * Nanoseconds of CPU per item in the fastest of several rounds, which other processes disturbed
 * least.
 */
export function fastest(rounds: number, items: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  work()
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now()
    work()
    best = Math.min(best, performance.now() - from)
  }
  return (best * 1e6) / items
}
