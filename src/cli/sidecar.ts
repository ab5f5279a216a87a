import { openLogger } from '../runtime/logger.ts'
import type { Command } from './command.ts'

export const sidecarCommand: Command = {
  name: 'sidecar',
  usage: '',
  summary: 'takes events on this machine, keeps them on its disk, and brings them to a gateway',
  options: {},
  positionals: [],

  async run(input) {
    const config = input.sidecarConfig()
    const logger = openLogger({ level: config.logLevel, part: 'sidecar' })
    const { runSidecar } = await import('../compose/sidecar.ts')
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
