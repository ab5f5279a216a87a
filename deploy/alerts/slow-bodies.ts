import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from '../../bench/harness/site.ts'

const senders = 90
/** So many more come each second: the later ones find no room. */
const latecomers = 5
/** As much as a body may have, less than a second of it at a time once most of it is there. */
const [length, atOnce, crumb] = [4_100_000, 3_400_000, 24_000]

/** Clients of one key send the largest bodies there are, and take `seconds` over their ends. */
export async function slowBodies(site: Site, seconds: number): Promise<void> {
  const sockets = Array.from({ length: senders }, () => begun(site))
  await sleep(500)
  for (const socket of sockets) socket.write(Buffer.alloc(atOnce, ' '))
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000)
    for (const socket of sockets) if (socket.writable) socket.write(Buffer.alloc(crumb, ' '))
    const late = Array.from({ length: latecomers }, () => begun(site))
    for (const socket of late) socket.write(Buffer.alloc(atOnce, ' '))
    sockets.push(...late)
  }
  for (const socket of sockets) socket.destroy()
}

function begun(site: Site): Socket {
  const { hostname, port } = new URL(site.url)
  const socket = connect(Number(port), hostname)
  // Some are refused, which is the point.
  socket.on('error', () => undefined).resume()
  socket.write(
    [
      'POST /events/ingest HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${site.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n'),
  )
  return socket
}
