import { createServer } from 'node:net'
import { Refusal } from '../faults.ts'

/** A setting that names a port, and the address to listen on. */
export interface PortSetting {
  readonly name: string
  readonly host: string
  /** 0 is always free. */
  readonly port: number
}

/**
 * Refuses a port on which somebody listens. The edge's server shares ports (SO_REUSEPORT), so a
 * second process would silently take half of the first one's connections; trying to listen
 * exclusively tells.
 *
 * @throws Refusal naming the setting.
 */
export async function assertPortFree(setting: PortSetting): Promise<void> {
  if (setting.port === 0) return
  const server = createServer()
  await new Promise<void>((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(portRefusal(setting, error)))
    server.listen({ host: setting.host, port: setting.port, exclusive: true }, () => {
      server.close(() => done())
    })
  })
}

/** The setting that names the address, where it is another than HOST. */
const hostSettings: Readonly<Record<string, string>> = {
  OPS_PORT: 'OPS_HOST',
  SIDECAR_LISTEN: 'SIDECAR_LISTEN',
}

/** The sentence about a port on which the process cannot listen. */
export function portRefusal(setting: PortSetting, error: NodeJS.ErrnoException): Refusal {
  const { name, host, port } = setting
  switch (error.code) {
    case 'EADDRINUSE':
      return new Refusal(`${name} ${port} on ${host} is taken: stop what uses it, or set ${name}.`)
    case 'EACCES':
      return new Refusal(`${name} ${port} needs more rights than this user has: set ${name}.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Refusal(
        `${hostSettings[name] ?? 'HOST'} ${host} is not an address of this machine.`,
      )
    default:
      return new Refusal(`${name} ${port} on ${host} cannot be opened (${error.code ?? error}).`)
  }
}
