import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { Line } from '../../harness/result.ts'
import { figure } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import { mebibyte, ownBytes } from '../watching.ts'
import { lineForEach } from './cells.ts'

/** How many connections are opened at once. */
const atOnce = 100

/** What connections take that were used once and are kept open. */
export const byIdle = (site: Site, counts: readonly number[]): Promise<readonly Line[]> =>
  lineForEach(counts, async (count) => {
    const before = ownBytes(site.pid)
    const sockets: Socket[] = []
    while (sockets.length < count) {
      const some = Math.min(atOnce, count - sockets.length)
      sockets.push(...(await Promise.all(Array.from({ length: some }, () => used(site)))))
    }
    const after = ownBytes(site.pid)
    for (const socket of sockets) socket.destroy()
    return {
      label: `${count} idle connections`,
      figures: [
        figure('memory', after / mebibyte, 'MiB'),
        figure('a connection', Math.max(0, after - before) / count, 'bytes'),
      ],
    }
  })

/** A connection over which one request was answered. */
async function used({ apiKey, url }: Site): Promise<Socket> {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = [
    `GET /meters?page_size=1 HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${apiKey}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  return socket
}
