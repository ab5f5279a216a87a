import type { Addresses, Role } from '../compose/parts.ts'
import { roles } from '../compose/parts.ts'
import type { Config } from '../config.ts'
import { giveHeapRoom } from '../runtime/heap-room.ts'
import { openLogger } from '../runtime/logger.ts'
import type { Ready } from '../serve.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { keepFirstKey } from './first-key.ts'
import type { FirstStart } from './first-lines.ts'
import { linesOfSample } from './first-lines.ts'
import { setupUrlOf } from './setup-url.ts'

export const serveCommand: Command = {
  name: 'serve',
  usage: '[--roles LIST]',
  summary: 'runs the server in the foreground until SIGTERM or SIGINT',
  options: { roles: { type: 'string' } },
  positionals: [],

  async run(input) {
    giveHeapRoom()
    const config = input.config()
    const logger = openLogger({ level: config.logLevel, part: 'main' })
    let sample: FirstStart | null = null
    // Imported here, so that other commands need not load the code of the server, which is most of
    // it.
    const { serve } = await import('../serve.ts')
    return serve({
      config,
      roles: rolesOf(input.text('roles')),
      logger,
      async prepare(store) {
        if (config.databaseUrl !== null) return
        const { firstStart } = await import('./first-start.ts')
        sample = await firstStart(store, logger)
        if (sample !== null) await keepFirstKey(config.dataDir, sample.apiKey)
      },
      announce(ready) {
        input.answer(documentOf(config, ready, sample), [
          ...linesOf(config, ready),
          ...linesOfSample(sample, ready.addresses),
        ])
      },
    })
  },
}

function rolesOf(list: string | null): readonly Role[] {
  if (list === null) return roles
  return list.split(',').map((name) => {
    const role = roles.find((known) => known === name.trim())
    if (role !== undefined) return role
    throw new UsageError(`--roles must list some of ${roles.join(', ')}, not '${name}'.`)
  })
}

function documentOf({ opsHost }: Config, ready: Ready, sample: FirstStart | null) {
  return {
    ready: true,
    test_url: ready.addresses?.test ?? null,
    live_url: ready.addresses?.live ?? null,
    ops_url: urlOf(opsHost, ready.opsPort),
    business_id: sample?.businessId ?? null,
    api_key: sample?.apiKey ?? null,
    setup_url:
      sample === null || ready.addresses === null
        ? null
        : setupUrlOf(ready.addresses.test, sample.setupWord),
  }
}

function linesOf({ opsHost, dataDir }: Config, { addresses, opsPort }: Ready): readonly string[] {
  const modes = (served: Addresses) => [
    `  test mode  ${served.test}`,
    `  live mode  ${served.live}`,
  ]
  return [
    'Sluice is ready.',
    ...(addresses === null ? [] : modes(addresses)),
    `  metrics    ${urlOf(opsHost, opsPort)}/metrics`,
    `  data       ${dataDir}`,
  ]
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
