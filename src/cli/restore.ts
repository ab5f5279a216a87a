import { restoreDataDir } from '../compose/backup.ts'
import { openLogger } from '../runtime/logger.ts'
import type { Command } from './command.ts'

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FOLDER',
  summary: 'makes an empty DATA_DIR of a backup',
  options: {},
  positionals: ['FOLDER'],

  async run(input) {
    const config = input.config()
    const folder = input.positional('FOLDER')
    const logger = openLogger({ level: 'warn', part: 'command' })
    const { bytes, manifest, path } = await restoreDataDir(config, folder, logger)
    const document = { path, data_dir: config.dataDir, bytes, taken_at: manifest.takenAt }
    input.answer(document, [
      `${config.dataDir} is as it was at ${manifest.takenAt}.`,
      'Events and commands that were accepted after it are not in it: send them again. `sluice verify` audits the books.',
    ])
    return 0
  },
}
