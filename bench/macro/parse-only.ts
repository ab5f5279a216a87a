import { fork } from 'node:child_process'
import { onEnd } from '../harness/processes.ts'

/**
 * What ingest is compared with: a server that reads, parses and validates, and does nothing else.
 */
export interface ParseServer {
  readonly pid: number
  readonly url: string
  stop(): void
}

export async function startParseServer(): Promise<ParseServer> {
  const entry = new URL('../support/parse-server.js', import.meta.url)
  const child = fork(entry, { stdio: 'inherit' })
  const forget = onEnd(stop)
  const url = await new Promise<string>((done, failed) => {
    child.once('message', (message: { readonly url: string }) => done(message.url))
    child.once('error', failed)
    child.once('exit', (status, signal) => {
      failed(new Error(`The parse server ended with ${signal ?? status}.`))
    })
  })
  return { pid: child.pid ?? 0, url, stop }

  function stop(): void {
    forget()
    child.kill('SIGKILL')
  }
}
