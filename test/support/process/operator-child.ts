import { createServer } from 'node:http'
import { commands } from '../../../src/cli/commands.ts'
import { runCommand } from '../../../src/cli/run.ts'
import type { OperatorCall, OperatorSaid } from './operator.ts'

// Runs the operator's commands of a whole run of suites, each with the settings it comes with: as
// processes of their own, some two hundred would load the same code. Listens on the socket that its
// argument names, and ends with the process that started it.
process.umask(0o077)
const [, , socket] = process.argv

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const call = JSON.parse(Buffer.concat(chunks).toString()) as OperatorCall
    void run(call).then((said) => response.end(JSON.stringify(said)))
  })
})
server.listen(socket, () => void process.send?.('listening'))
process.once('disconnect', () => process.exit())

async function run({ words, settings }: OperatorCall): Promise<OperatorSaid> {
  let [out, error] = ['', '']
  const streams = {
    out: (text: string | Uint8Array) => {
      out += Buffer.from(text).toString()
    },
    error: (text: string) => {
      error += text
    },
    isTerminal: false,
    environment: settings,
  }
  const status = await runCommand(words, commands, streams)
  return { status, out, error }
}
