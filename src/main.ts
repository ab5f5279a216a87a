import { runCommand } from './cli/run.ts'

// The process: runs one command, for example `serve`. start.js has prepared everything that it
// needs.
//
// All files that we and our children write are for this user alone.
process.umask(0o077)
const status = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
})
process.exit(status)
