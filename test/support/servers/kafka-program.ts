import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bentClock } from './bent-clock.ts'
import type { BrokerPlace } from './kafka-properties.ts'
import type { ServerProcess } from './process.ts'
import { launchServer } from './process.ts'
import { onPath, run } from './programs.ts'

/** Null where a real Kafka can run here; else what would enable it. */
export const kafkaMissing: string | null = missing()

/** For tests: a JVM that starts fast, and never compiles well. */
const quickly = '-XX:TieredStopAtLevel=1'

export const propertiesFile = ({ directory }: BrokerPlace): string => `${directory}.properties`

/** A user who may log in. */
export interface ScramUser {
  readonly username: string
  readonly password: string
}

/** Where `prepareKafka` leaves what later starts use; for this Java alone. */
export function preparedFolder(): string {
  const program = realpathSync(onPath('java') ?? '')
  const { mtimeMs, size } = statSync(program)
  const digest = createHash('sha256').update(`${program} ${size} ${mtimeMs}`).digest('hex')
  return join(jars(), `prepared-${digest.slice(0, 12)}`)
}

/** Its contents: a formatted directory, and Kafka's classes as a JVM maps them. */
export const preparedNames = { formatted: 'formatted', classes: 'classes.jsa' } as const

/**
 * Formats the brokers' directories. Kafka's own tool does so for the first one, and the others are
 * copies of it. Where the prepared folder has a formatted directory and nobody logs in, all are
 * copies of that.
 */
export async function format(
  places: readonly BrokerPlace[],
  user: ScramUser | null,
): Promise<void> {
  const [first, ...others] = places
  if (first === undefined) return
  const prepared = join(preparedFolder(), preparedNames.formatted)
  if (user === null && existsSync(prepared)) return copyFormat(prepared, places, newUuid())
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
  copyFormat(first.directory, others, null)
}

/**
 * Gives each broker its own number and each directory its own identity. The cluster's identity is
 * `cluster`, or as it was formatted.
 */
function copyFormat(
  formatted: string,
  places: readonly BrokerPlace[],
  cluster: string | null,
): void {
  for (const { id, directory } of places) {
    for (const name of readdirSync(formatted))
      copyFileSync(join(formatted, name), join(directory, name))
    const meta = join(directory, 'meta.properties')
    const text = readFileSync(meta, 'utf8')
      .replace(/^node\.id=.*$/m, `node.id=${id}`)
      .replace(/^directory\.id=.*$/m, `directory.id=${newUuid()}`)
      .replace(/^cluster\.id=(.*)$/m, (_, id) => `cluster.id=${cluster ?? id}`)
    writeFileSync(meta, text)
  }
}

/** An identity as Kafka writes it: 16 bytes, never with a dash in front. */
const newUuid = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')

/**
 * Answers when the broker takes requests. Of several brokers none does before most of them run.
 * With `tuned`, for benches, the JVM compiles as in production.
 */
export function startBroker(
  place: BrokerPlace,
  options: {
    readonly heapMegabytes: number
    readonly tuned: boolean
    readonly bent: string | null
    /** A file into which it writes its classes when it is told to end. */
    readonly leaves?: string
  },
): Promise<ServerProcess> {
  const properties = propertiesFile(place)
  const flags = [
    `-Xmx${options.heapMegabytes}m`,
    // Compression codecs unpack their libraries there.
    `-Djava.io.tmpdir=${dirname(properties)}`,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
    ...(options.tuned ? [] : [quickly, ...sharing(options.leaves ?? null)]),
  ]
  return launchServer({
    command: [...java(flags), 'kafka.Kafka', properties],
    log: `${place.directory}.log`,
    ready: 'Kafka Server started',
    readyWithinMs: 120_000,
    env: options.bent === null ? {} : bentClock(options.bent),
  })
}

/**
 * Options that map the classes which another start has left, instead of reading and verifying them.
 */
function sharing(leaves: string | null): readonly string[] {
  if (leaves !== null) return [`-XX:ArchiveClassesAtExit=${leaves}`]
  const classes = join(preparedFolder(), preparedNames.classes)
  return existsSync(classes) ? [`-XX:SharedArchiveFile=${classes}`] : []
}

/** `-XX:-UsePerfData`: the JVM makes no file in the system's temporary directory. */
const java = (flags: readonly string[]): readonly string[] => [
  ...['java', '-XX:+UseSerialGC', '-XX:-UsePerfData', ...flags],
  ...['-cp', join(jars(), '*')],
]

const jars = (): string => resolve(process.env['TEST_KAFKA_JARS'] ?? '')

function missing(): string | null {
  const folder = process.env['TEST_KAFKA_JARS']
  if (folder === undefined || folder === '')
    return "a real Kafka: set TEST_KAFKA_JARS to a folder with Kafka's jars (the README says how)"
  if (onPath('java') === null) return 'a real Kafka: TEST_KAFKA_JARS is set, but no java is on PATH'
  return hasKafka(folder)
    ? null
    : `a real Kafka: TEST_KAFKA_JARS is set, but ${folder} has no kafka_2.13 jar in it`
}

function hasKafka(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /^kafka_2\.13-.*\.jar$/.test(name))
  } catch {
    return false
  }
}
