import type { Socket } from 'node:net'
import { connect as connectPlain } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { connect as connectTls } from 'node:tls'
import type { KafkaSettings } from '../settings.ts'

export interface SocketOptions extends Pick<KafkaSettings, 'tls'> {
  readonly host: string
  readonly port: number
  readonly onConnect: () => void
}

/** A socket to a broker, encrypted where the settings say so. */
export function openSocket({ host, port, tls, onConnect }: SocketOptions): Socket {
  const socket =
    tls === null
      ? connectPlain({ host, port }, onConnect)
      : connectTls({ host, port, ...serverName(host), ...texts(tls) }, onConnect)
  socket.setKeepAlive(true, 10_000)
  // Requests are written whole, so waiting for more data would only delay their last segment.
  socket.setNoDelay(true)
  return socket
}

/** TLS wants the server's name, and an IP address is none. */
const serverName = (host: string): ConnectionOptions =>
  /^[\d.]+$|:/.test(host) ? {} : { servername: host }

const texts = ({ ca, cert, key }: NonNullable<KafkaSettings['tls']>): ConnectionOptions => ({
  ...(ca === null ? {} : { ca }),
  ...(cert === null ? {} : { cert }),
  ...(key === null ? {} : { key }),
})
