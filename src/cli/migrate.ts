import type { Command } from './command.ts'
import { withStore } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'brings the database up to date; refuses a newer one',
  options: {},
  positionals: [],

  async run(input) {
    const work = ({ migrated }: { migrated: { from: number; to: number } }) =>
      Promise.resolve(migrated)
    const { from, to } = await withStore(input, work, { applies: true })
    const line = from === to ? `at ${to} already` : `brought from ${from} to ${to}`
    input.answer({ from, to }, [`The database is ${line}.`])
    return 0
  },
}
