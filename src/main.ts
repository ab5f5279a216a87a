import { runCommand } from './cli/run.ts'

// The process: one command, `serve` among them. start.js has prepared everything that this stands
// on.
// All that we and our children write is for this user alone.
process.umask(0o077)
const status = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
})
process.exit(status)
