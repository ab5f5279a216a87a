import type { StreamReport } from '../compose/sidecar.ts'
import { openLogger } from '../runtime/logger.ts'
import { keepYoungSpaceSmall } from '../runtime/small-heap.ts'
import { plural } from '../std/plural.ts'
import type { Command, Input } from './command.ts'

export const sidecarCommand: Command = {
  name: 'sidecar',
  usage: '[--stdin]',
  summary: 'takes events here, or from stdin a line each, and brings them to a gateway',
  options: { stdin: { type: 'boolean' } },
  positionals: [],

  async run(input) {
    const config = input.sidecarConfig()
    const logger = openLogger({ level: config.logLevel, part: 'sidecar' })
    keepYoungSpaceSmall()
    const { runSidecar, runStream } = await import('../compose/sidecar.ts')
    if (input.flag('stdin')) {
      return told(input, await runStream({ config, logger }, process.stdin))
    }
    return runSidecar({
      config,
      logger,
      announce({ listens, opsPort }) {
        const host = config.opsHost.includes(':') ? `[${config.opsHost}]` : config.opsHost
        const opsUrl = `http://${host}:${opsPort}`
        input.answer({ ready: true, listens, ops_url: opsUrl, spool: config.spoolDir }, [
          'The sidecar is ready.',
          `  events     ${listens}`,
          `  gateway    ${config.upstream}`,
          `  metrics    ${opsUrl}/metrics`,
          `  spool      ${config.spoolDir}`,
        ])
      },
    })
  },
}

/** 1 where anything was refused, or is not at the gateway yet. */
function told(
  input: Input,
  { taken, refused, deadLetters, waiting, stopped }: StreamReport,
): number {
  const document = { taken, refused, dead_letters: deadLetters, waiting, stopped }
  input.answer(document, [`${plural(taken, 'event')} taken from stdin.`])
  if (refused === 0 && stopped === null) return 0
  const problems = [
    ...(refused === 0 ? [] : [`${refused} refused: see ${deadLetters}.`]),
    ...(stopped === null
      ? []
      : [`${stopped} came before the end: ${plural(waiting, 'event')} still in the spool.`]),
  ]
  throw new Error(problems.join(' '))
}
