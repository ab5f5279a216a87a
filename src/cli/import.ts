import type { Moved } from '../operations/moves/manifest.ts'
import { eventsIn, rowsIn } from '../operations/moves/manifest.ts'
import { lifecycle } from '../runtime/lifecycle.ts'
import { openLogger } from '../runtime/logger.ts'
import type { Command } from './command.ts'

export const importCommand: Command = {
  name: 'import',
  usage: 'FOLDER',
  summary: 'makes an empty database and event log of an export',
  options: {},
  positionals: ['FOLDER'],

  async run(input) {
    const logger = openLogger({ level: 'warn', part: 'command' })
    const life = lifecycle(logger)
    const config = input.config()
    // Not loaded for other commands.
    const { importInto } = await import('../compose/move.ts')
    try {
      const moved = await importInto({ config, logger, life }, input.positional('FOLDER'))
      input.answer(importedDocument(moved), importedLines(moved))
    } finally {
      await life.stop(10_000)
    }
    return 0
  },
}

const importedDocument = ({ path, manifest }: Moved) => ({
  path,
  exported_at: manifest.exportedAt,
  tables: manifest.tables.length,
  rows: rowsIn(manifest),
  events: eventsIn(manifest),
  served: manifest.served,
})

const importedLines = ({ path, manifest }: Moved): readonly string[] => [
  `Everything of ${path} is here, as it was at ${manifest.exportedAt}: ${rowsIn(manifest)} rows, and ${eventsIn(manifest)} events in the log.`,
  ...(manifest.served
    ? ['It was exported while a server was running: what that accepted later is not here.']
    : []),
  'Start it with `sluice serve`; `sluice verify` audits the books.',
]
