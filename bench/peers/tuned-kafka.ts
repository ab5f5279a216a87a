import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// @platformatic/kafka: JavaScript, with a checksum in Rust that comes prebuilt. Clients around
// librdkafka fetch or compile it in an install script, which npm does not run here; the one that
// ships it prebuilt costs more CPU per event. bench/README.md has the figures.
const name = '@platformatic/kafka'

/** The part of the package that `tuned` uses. */
export interface TunedKafka {
  readonly Producer: new (options: {
    readonly clientId: string
    readonly bootstrapBrokers: readonly string[]
  }) => {
    send(order: {
      readonly acks: -1
      readonly messages: readonly {
        readonly topic: string
        readonly key: Buffer
        readonly value: Buffer
      }[]
    }): Promise<unknown>
  }
}

/** Null when `tuned` can run here; else what would enable it. */
export function tunedMissing(): string | null {
  try {
    find()
    return null
  } catch {
    return `the npm package ${name}, the Kafka client that it is built on`
  }
}

export const tunedKafka = async (): Promise<TunedKafka> =>
  (await import(pathToFileURL(find()).href)) as TunedKafka

const find = (): string => createRequire(import.meta.url).resolve(name)
