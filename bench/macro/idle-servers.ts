import { fork } from 'node:child_process'
import { onEnd } from '../harness/processes.ts'

/** A server that stores nothing: what a real one is compared with. */
export interface IdleServer {
  readonly pid: number
  readonly url: string
  stop(): void
}

/** `parse` reads, parses and validates, and does nothing else; `bare` answers and does nothing. */
export async function startIdleServer(name: 'parse' | 'bare'): Promise<IdleServer> {
  const entry = new URL(`../support/${name}-server.js`, import.meta.url)
  const child = fork(entry, { stdio: 'inherit' })
  const forget = onEnd(stop)
  const url = await new Promise<string>((done, failed) => {
    child.once('message', (message: { readonly url: string }) => done(message.url))
    child.once('error', failed)
    child.once('exit', (status, signal) => {
      failed(new Error(`The ${name} server ended with ${signal ?? status}.`))
    })
  })
  return { pid: child.pid ?? 0, url, stop }

  function stop(): void {
    forget()
    child.kill('SIGKILL')
  }
}
