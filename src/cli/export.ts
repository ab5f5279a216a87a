import type { Moved } from '../operations/moves/manifest.ts'
import { eventsIn, exportedBytes, rowsIn } from '../operations/moves/manifest.ts'
import { lifecycle } from '../runtime/lifecycle.ts'
import { openLogger } from '../runtime/logger.ts'
import type { Command } from './command.ts'

export const exportCommand: Command = {
  name: 'export',
  usage: 'FOLDER',
  summary: 'writes an embedded installation into a new folder, to be imported elsewhere',
  options: {},
  positionals: ['FOLDER'],

  async run(input) {
    const logger = openLogger({ level: 'warn', part: 'command' })
    const life = lifecycle(logger)
    const config = input.config()
    // Not loaded for other commands.
    const { exportDataDir } = await import('../compose/move.ts')
    try {
      const moved = await exportDataDir({ config, logger, life }, input.positional('FOLDER'))
      input.answer(exportedDocument(moved), exportedLines(moved))
    } finally {
      await life.stop(10_000)
    }
    return 0
  },
}

function exportedDocument({ path, manifest }: Moved) {
  return {
    path,
    bytes: exportedBytes(manifest),
    exported_at: manifest.exportedAt,
    tables: manifest.tables.length,
    rows: rowsIn(manifest),
    events: eventsIn(manifest),
    served: manifest.served,
    secrets_key: true,
  }
}

function exportedLines({ path, manifest }: Moved): readonly string[] {
  const size = Math.ceil(exportedBytes(manifest) / 1_048_576)
  return [
    `${path} holds everything up to ${manifest.exportedAt}: ${rowsIn(manifest)} rows and the end of the event log (${eventsIn(manifest)} events), ${size} MiB.`,
    'The key that encrypts secrets is in it, in secrets.key: keep the folder where only you can read it.',
    ...(manifest.served
      ? [
          'A server was running: what it accepts from here on is not in the folder. To move, stop it and export again.',
        ]
      : ['Do not start this installation again once it was imported elsewhere.']),
  ]
}
