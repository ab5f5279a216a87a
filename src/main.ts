import { commands } from './cli/commands.ts'
import { runCommand } from './cli/run.ts'

// The process: runs one command, for example `serve`. start.js has prepared everything that it
// needs.
//
// All files that we and our children write are for this user alone.
process.umask(0o077)
const words = process.argv.slice(2)

/** No `await` of the module itself, which no chunk may have: see start-chunks.js. */
export const commandEnded = runCommand(words, commands, {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
}).then((status) => process.exit(status))
