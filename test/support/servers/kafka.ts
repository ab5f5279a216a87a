import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DoorOptions } from './kafka-door.ts'
import { doorOf, kafkaUser } from './kafka-door.ts'
import { format, kafkaMissing, propertiesFile, startBroker } from './kafka-program.ts'
import type { BrokerPlace } from './kafka-properties.ts'
import { brokerProperties } from './kafka-properties.ts'
import { freePorts } from './ports.ts'
import type { ServerProcess } from './process.ts'
import type { TestProxy } from './proxy.ts'
import { startProxy } from './proxy.ts'
import { scratch } from './scratch.ts'

export { kafkaUser } from './kafka-door.ts'
export { kafkaMissing } from './kafka-program.ts'

export interface KafkaOptions extends DoorOptions {
  /** How many; 1 by default. */
  readonly brokers?: 1 | 3
  /** Properties of the brokers beyond ours, or instead of ours. */
  readonly config?: Readonly<Record<string, string>>
  /** Puts a proxy in front of each broker. Clients are told of the proxies alone. */
  readonly proxied?: boolean
  /** A file that shifts the brokers' clocks, as in `bentClock`. */
  readonly bent?: string
  /** For benches: a JVM that compiles as in production, and so is slow at first. */
  readonly tuned?: boolean
}

/** A Kafka cluster in a temporary directory. Each broker is a controller, too. */
export interface TestKafka {
  /** `host:port` of each, as clients are told. */
  readonly brokers: readonly string[]
  /** What makes Sluice use it: KAFKA_BROKERS and the settings of TLS and of logging in. */
  readonly settings: Readonly<Record<string, string>>
  /** The proxy of each broker where proxies were asked for; else none. */
  readonly proxies: readonly TestProxy[]
  /** Where it writes all that it writes. */
  readonly directory: string
  /** Kills all brokers and removes their data. */
  stop(): Promise<void>
  /** `kill -9`. */
  kill(index: number): Promise<void>
  /** Starts a broker again on its data and port. Answers when it takes requests. */
  start(index: number): Promise<void>
  /** Sends SIGSTOP: connections stay open, and no request is answered. */
  freeze(index: number): Promise<void>
  thaw(index: number): Promise<void>
}

/** Starts a cluster; answers when every broker takes requests. */
export async function startKafka(options: KafkaOptions = {}): Promise<TestKafka> {
  if (kafkaMissing !== null) throw new Error(`Missing is ${kafkaMissing}.`)
  const door = await doorOf(options)
  const directory = scratch('kafka')
  const places = await placesOf(directory.path, options.brokers ?? 1)
  const proxies = options.proxied === true ? await proxiesOf(places) : []
  const told = places.map(({ ports }, index) => proxies[index]?.port ?? ports.client)
  const config = { ...door.properties, ...options.config }
  try {
    for (const [index, place] of places.entries()) {
      mkdirSync(place.directory)
      const advertised = told[index] ?? 0
      writeFileSync(propertiesFile(place), brokerProperties(place, { places, advertised, config }))
    }
    await format(places, options.sasl === undefined ? null : kafkaUser)
    const { killAll, ...each } = await startBrokers(places, options)
    const brokers = told.map((port) => `127.0.0.1:${port}`)
    const settings = {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_REPLICATION: `${brokers.length}`,
      ...door.settings,
    }
    const stop = async () => {
      await killAll()
      await leave()
    }
    return { brokers, settings, proxies, directory: directory.path, stop, ...each }
  } catch (error) {
    await leave()
    throw error
  }

  async function leave(): Promise<void> {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await directory.remove()
  }
}

/** Brokers on free ports, each with a directory in this one. */
export async function placesOf(
  directory: string,
  brokers: number,
): Promise<readonly BrokerPlace[]> {
  const ports = await freePorts(3 * brokers)
  return Array.from({ length: brokers }, (_, index) => {
    const [client = 0, internal = 0, control = 0] = ports.slice(3 * index)
    const name = `broker-${index + 1}`
    return {
      id: index + 1,
      ports: { client, internal, control },
      directory: join(directory, name),
    }
  })
}

const proxiesOf = (places: readonly BrokerPlace[]): Promise<readonly TestProxy[]> =>
  Promise.all(places.map(({ ports }) => startProxy({ host: '127.0.0.1', port: ports.client })))

interface Brokers extends Pick<TestKafka, 'kill' | 'start' | 'freeze' | 'thaw'> {
  killAll(): Promise<void>
}

async function startBrokers(
  places: readonly BrokerPlace[],
  { tuned = false, bent }: KafkaOptions,
): Promise<Brokers> {
  const running: ServerProcess[] = []
  const heapMegabytes = places.length === 1 ? 400 : 300
  // A broker alone waits for a majority: so all start at once.
  const starts = await Promise.allSettled(places.map((_, index) => launch(index)))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed !== undefined) {
    await killAll()
    throw failed.reason
  }
  return {
    killAll,
    kill: (index) => at(index).kill(),
    start,
    freeze: (index) => at(index).freeze(),
    thaw: (index) => at(index).thaw(),
  }

  async function launch(index: number): Promise<void> {
    const place = places[index]
    if (place !== undefined)
      running[index] = await startBroker(place, { heapMegabytes, tuned, bent: bent ?? null })
  }

  function at(index: number): ServerProcess {
    const broker = running[index]
    if (broker === undefined) throw new Error(`There is no broker ${index}.`)
    return broker
  }

  async function start(index: number): Promise<void> {
    if (at(index).running) throw new Error(`Broker ${index} runs already.`)
    await launch(index)
  }

  async function killAll(): Promise<void> {
    await Promise.all(running.map((broker) => broker.kill()))
  }
}
