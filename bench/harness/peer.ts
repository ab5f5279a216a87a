import { fork } from 'node:child_process'
import type { PeerOrder } from '../peers/order.ts'
import { onEnd } from './processes.ts'

/** A service to compare with, in a process of its own. */
export interface Peer {
  readonly name: PeerName
  readonly pid: number
  readonly url: string
  stop(): void
}

export type PeerName = 'usual' | 'tuned'

/** Answers when it takes requests. */
export async function startPeer(name: PeerName, order: PeerOrder): Promise<Peer> {
  const entry = new URL(`../peers/${name}.js`, import.meta.url)
  const child = fork(entry, [JSON.stringify(order)], { stdio: 'inherit' })
  const forget = onEnd(stop)
  const url = await new Promise<string>((done, failed) => {
    child.once('message', (message: { readonly url: string }) => done(message.url))
    child.once('error', failed)
    child.once('exit', (status, signal) => {
      failed(new Error(`The peer '${name}' ended with ${signal ?? status}.`))
    })
  })
  return { name, pid: child.pid ?? 0, url, stop }

  function stop(): void {
    forget()
    child.kill('SIGKILL')
  }
}
