import { runCommand } from './cli/run.ts'

// The process: runs one command, for example `serve`. start.js has prepared everything that it
// needs.
//
// All files that we and our children write are for this user alone.
process.umask(0o077)
const words = process.argv.slice(2)
const status = await runCommand(words, await commandsFor(words[0]), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
})
process.exit(status)

/** The sidecar must be small: nothing that others need is loaded for it. */
async function commandsFor(word: string | undefined) {
  if (word === 'sidecar') return [(await import('./cli/sidecar.ts')).sidecarCommand]
  return (await import('./cli/commands.ts')).commands
}
