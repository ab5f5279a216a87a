import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { BrokerPlace } from './kafka-properties.ts'
import { brokerProperties } from './kafka-properties.ts'
import { freePorts } from './ports.ts'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { onPath, run } from './programs.ts'
import type { Scratch } from './scratch.ts'
import { scratch } from './scratch.ts'

/** Null when a real Kafka can run here; else what would enable it. */
export const kafkaMissing: string | null = missing()

export interface KafkaOptions {
  /** 1 unless said. */
  readonly brokers?: 1 | 3
  /** Broker properties beyond ours, or instead of ours. */
  readonly config?: Readonly<Record<string, string>>
  /** What clients are told to connect to instead of the broker's own port, such as a proxy. */
  readonly advertise?: (index: number, port: number) => number
  /** For the JVM. Benches pass none: those by default start fast and never compile well. */
  readonly javaFlags?: readonly string[]
}

/** A Kafka cluster in a temporary directory, each broker a controller, too. */
export interface TestKafka {
  /** `host:port` of each, as clients are told. */
  readonly brokers: readonly string[]
  /** All that it writes. */
  readonly directory: string
  /** Kills all and removes their data. */
  stop(): Promise<void>
  /** `kill -9`. */
  kill(index: number): Promise<void>
  /** Again, on the same data and port. Answers when the broker takes requests. */
  start(index: number): Promise<void>
  /** SIGSTOP: connections stay open, and nobody is answered. */
  freeze(index: number): Promise<void>
  thaw(index: number): Promise<void>
}

/** Starts a cluster; answers when every broker takes requests. */
export async function startKafka(options: KafkaOptions = {}): Promise<TestKafka> {
  if (kafkaMissing !== null) throw new Error(`Missing is ${kafkaMissing}.`)
  const directory = scratch('kafka')
  try {
    const places = await placesOf(directory.path, options)
    for (const place of places) {
      mkdirSync(place.directory)
      writeFileSync(propertiesOf(place), brokerProperties(place, places, options.config ?? {}))
    }
    await format(places)
    return await startAll(directory, places, options)
  } catch (error) {
    directory.remove()
    throw error
  }
}

async function placesOf(
  directory: string,
  { brokers = 1, advertise = (_, port) => port }: KafkaOptions,
): Promise<readonly BrokerPlace[]> {
  const ports = await freePorts(3 * brokers)
  return Array.from({ length: brokers }, (_, index) => {
    const [client = 0, internal = 0, control = 0] = ports.slice(3 * index)
    return {
      id: index + 1,
      ports: { client, internal, control },
      advertised: { host: '127.0.0.1', port: advertise(index, client) },
      directory: join(directory, `broker-${index + 1}`),
    }
  })
}

const propertiesOf = ({ directory }: BrokerPlace): string => `${directory}.properties`

/** Kafka's own tool formats the first one; of the others it would only make copies. */
async function format(places: readonly BrokerPlace[]): Promise<void> {
  const [first, ...others] = places
  if (first === undefined) return
  const clusterId = newUuid()
  await run([
    ...java(['-Xmx64m', '-XX:TieredStopAtLevel=1']),
    'kafka.tools.StorageTool',
    ...['format', '-t', clusterId, '-c', propertiesOf(first)],
  ])
  for (const { id, directory } of others) {
    const copy = (name: string) => copyFileSync(join(first.directory, name), join(directory, name))
    for (const name of readdirSync(first.directory)) copy(name)
    const meta = join(directory, 'meta.properties')
    const text = readFileSync(meta, 'utf8')
      .replace(/^node\.id=.*$/m, `node.id=${id}`)
      .replace(/^directory\.id=.*$/m, `directory.id=${newUuid()}`)
    writeFileSync(meta, text)
  }
}

/** As Kafka writes them: 16 bytes, never with a dash in front. */
const newUuid = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')

async function startAll(
  directory: Scratch,
  places: readonly BrokerPlace[],
  options: KafkaOptions,
): Promise<TestKafka> {
  const running: ServerProcess[] = []
  // A broker alone waits for a majority: all at once.
  const starts = await Promise.allSettled(
    places.map(async (place, index) => {
      running[index] = await startBroker(place, places.length, options)
    }),
  )
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed !== undefined) {
    await killAll()
    throw failed.reason
  }
  return {
    brokers: places.map(({ advertised: { host, port } }) => `${host}:${port}`),
    directory: directory.path,
    stop,
    kill: (index) => at(index).kill(),
    start,
    freeze: (index) => at(index).freeze(),
    thaw: (index) => at(index).thaw(),
  }

  function at(index: number): ServerProcess {
    const broker = running[index]
    if (broker === undefined) throw new Error(`There is no broker ${index}.`)
    return broker
  }

  async function start(index: number): Promise<void> {
    if (at(index).running) throw new Error(`Broker ${index} runs already.`)
    const place = places[index]
    if (place !== undefined) running[index] = await startBroker(place, places.length, options)
  }

  async function killAll(): Promise<void> {
    await Promise.all(running.map((broker) => broker.kill()))
  }

  async function stop(): Promise<void> {
    await killAll()
    directory.remove()
  }
}

function startBroker(
  place: BrokerPlace,
  brokers: number,
  { javaFlags = ['-XX:TieredStopAtLevel=1'] }: KafkaOptions,
): Promise<ServerProcess> {
  const heap = brokers === 1 ? '-Xmx400m' : '-Xmx300m'
  const properties = propertiesOf(place)
  // Codecs unpack their libraries there.
  const temporary = `-Djava.io.tmpdir=${dirname(properties)}`
  return launchServer({
    command: [...java([heap, temporary, ...javaFlags, ...logging]), 'kafka.Kafka', properties],
    log: `${place.directory}.log`,
    ready: 'Kafka Server started',
    readyWithinMs: 60_000,
  })
}

const logging = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
]

/** `-XX:-UsePerfData`: no file of the JVM's under the system's temporary directory. */
const java = (flags: readonly string[]): readonly string[] => [
  ...['java', '-XX:+UseSerialGC', '-XX:-UsePerfData', ...flags],
  ...['-cp', join(resolve(process.env['TEST_KAFKA_JARS'] ?? ''), '*')],
]

function missing(): string | null {
  const jars = process.env['TEST_KAFKA_JARS']
  if (jars === undefined || jars === '')
    return "a real Kafka: set TEST_KAFKA_JARS to a folder with Kafka's jars (the README says how)"
  if (onPath('java') === null) return 'a real Kafka: TEST_KAFKA_JARS is set, but no java is on PATH'
  return hasKafka(jars)
    ? null
    : `a real Kafka: TEST_KAFKA_JARS is set, but ${jars} has no kafka_2.13 jar in it`
}

function hasKafka(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /^kafka_2\.13-.*\.jar$/.test(name))
  } catch {
    return false
  }
}
