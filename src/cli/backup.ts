import { backUpDataDir } from '../compose/backup.ts'
import type { Copied } from '../operations/backups/manifest.ts'
import { lifecycle } from '../runtime/lifecycle.ts'
import { openLogger } from '../runtime/logger.ts'
import type { Command } from './command.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'FOLDER',
  summary: 'copies the data directory into a new folder, while the server runs or not',
  options: {},
  positionals: ['FOLDER'],

  async run(input) {
    const logger = openLogger({ level: 'warn', part: 'command' })
    const life = lifecycle(logger)
    const config = input.config()
    try {
      const copied = await backUpDataDir({ config, logger, life }, input.positional('FOLDER'))
      input.answer(documentOf(copied), linesOf(copied))
    } finally {
      await life.stop(10_000)
    }
    return 0
  },
}

const documentOf = ({ bytes, manifest, path }: Copied) => ({
  path,
  bytes,
  files: manifest.files.length,
  taken_at: manifest.takenAt,
  secrets_key: manifest.hasSecretsKey,
})

function linesOf({ bytes, manifest, path }: Copied): readonly string[] {
  return [
    `${path} holds everything up to ${manifest.takenAt}, ${Math.ceil(bytes / 1_048_576)} MiB.`,
    manifest.hasSecretsKey
      ? 'The key that encrypts secrets is in it: keep it where only you can read it.'
      : 'SECRETS_KEY is not in it: keep that by itself, or webhook secrets cannot be read again.',
  ]
}
