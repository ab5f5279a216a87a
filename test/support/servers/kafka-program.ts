import { randomBytes } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bentClock } from './bent-clock.ts'
import type { BrokerPlace } from './kafka-properties.ts'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { onPath, run } from './programs.ts'

/** Null when a real Kafka can run here; else what would enable it. */
export const kafkaMissing: string | null = missing()

/** Starts fast, and never compiles well: for tests. */
const quickly = '-XX:TieredStopAtLevel=1'

export const propertiesFile = ({ directory }: BrokerPlace): string => `${directory}.properties`

/** Who may log in, where that is asked. */
export interface ScramUser {
  readonly username: string
  readonly password: string
}

/** Kafka's own tool formats the first broker; of the others it would only make copies. */
export async function format(
  places: readonly BrokerPlace[],
  user: ScramUser | null,
): Promise<void> {
  const [first, ...others] = places
  if (first === undefined) return
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) =>
    user === null
      ? []
      : ['--add-scram', `${mechanism}=[name=${user.username},password=${user.password}]`],
  )
  await run([
    ...java(['-Xmx64m', quickly]),
    ...['kafka.tools.StorageTool', 'format', '-t', newUuid(), '-c', propertiesFile(first)],
    ...scram,
  ])
  for (const { id, directory } of others) {
    for (const name of readdirSync(first.directory))
      copyFileSync(join(first.directory, name), join(directory, name))
    const meta = join(directory, 'meta.properties')
    const text = readFileSync(meta, 'utf8')
      .replace(/^node\.id=.*$/m, `node.id=${id}`)
      .replace(/^directory\.id=.*$/m, `directory.id=${newUuid()}`)
    writeFileSync(meta, text)
  }
}

/** As Kafka writes them: 16 bytes, never with a dash in front. */
const newUuid = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')

/**
 * Answers when the broker takes requests. Of several, none does before most of them run. For
 * benches `tuned` lets the JVM compile as it would in production.
 */
export function startBroker(
  place: BrokerPlace,
  options: {
    readonly heapMegabytes: number
    readonly tuned: boolean
    readonly bent: string | null
  },
): Promise<ServerProcess> {
  const properties = propertiesFile(place)
  const flags = [
    `-Xmx${options.heapMegabytes}m`,
    // Codecs unpack their libraries there.
    `-Djava.io.tmpdir=${dirname(properties)}`,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
    ...(options.tuned ? [] : [quickly]),
  ]
  return launchServer({
    command: [...java(flags), 'kafka.Kafka', properties],
    log: `${place.directory}.log`,
    ready: 'Kafka Server started',
    readyWithinMs: 120_000,
    env: options.bent === null ? {} : bentClock(options.bent),
  })
}

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
