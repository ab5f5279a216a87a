import { limits } from '../limits.ts'
import { pauseFor } from '../runtime/pause.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'
import type { DemoFigures } from './demo-display.ts'
import { openDisplay } from './demo-display.ts'
import type { DemoStream } from './demo-stream.ts'
import { openStream } from './demo-stream.ts'
import { createSample } from './sample.ts'

const refreshMs = 250

export const demo: Command = {
  name: 'demo',
  usage: '[--rate EVENTS_PER_S] [--seconds N]',
  summary: 'streams usage against the running server, and shows a balance going down',
  options: { rate: { type: 'string' }, seconds: { type: 'string' } },
  positionals: [],

  async run(input) {
    const config = input.config()
    const rate = wholeOf('rate', input.text('rate') ?? '1000', 1, 1_000_000)
    const seconds = wholeOf('seconds', input.text('seconds') ?? '20', 1, 3_600)
    const server = {
      api: urlOf(config.host, config.port),
      ops: urlOf(config.opsHost, config.opsPort),
    }
    await refuseWithoutServer(server.ops)
    // Each event uses a hundredth of a credit, so the balance is nearly gone when the stream ends.
    const credits = String(Math.max(10, Math.ceil((rate * (seconds + 1)) / 100)))
    const sample = await withStore(input, (ports) =>
      createSample(ports, { businessName: 'Demo', keyName: 'demo', credits }),
    )
    const stream = await openStream({ server, sample, rate })
    const display = openDisplay({ out: process.stderr, credits: Number(credits) })
    const figures = await show(stream, display.show, seconds)
    display.close()
    input.answer(documentOf(figures), summaryOf(figures, seconds))
    return figures.unaccounted === 0 ? 0 : 1
  },
}

/** Looks several times a second until the stream has ended and all of it is settled. */
async function show(
  stream: DemoStream,
  draw: (figures: DemoFigures) => void,
  seconds: number,
): Promise<DemoFigures> {
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    await pauseFor(refreshMs)
    draw(await stream.look())
  }
  await stream.stop()
  const deadline = performance.now() + 2 * limits.settleIntervalMsMax
  for (;;) {
    const figures = await stream.look()
    draw(figures)
    const done = figures.settled >= figures.accepted && figures.balance === figures.expected
    if (done || performance.now() > deadline) return figures
    await pauseFor(refreshMs)
  }
}

function wholeOf(name: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`)
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

async function refuseWithoutServer(ops: string): Promise<void> {
  const alive = await fetch(`${ops}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )
  if (!alive) {
    throw new Error(`No server answers at ${ops}: start one with \`npm start\`, then try again.`)
  }
}

const documentOf = (figures: DemoFigures) => ({
  accepted: figures.accepted,
  settled: figures.settled,
  refused: figures.refused,
  freshness_ms: figures.freshnessMs,
  balance: figures.balance,
  unaccounted_events: figures.unaccounted,
})

const summaryOf = (figures: DemoFigures, seconds: number): readonly string[] => [
  `${figures.accepted} events accepted in ${seconds} s, ${figures.settled} counted,`,
  `${figures.unaccounted} unaccounted for; the balance is ${figures.balance} credits.`,
]
