import { join } from 'node:path'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import { openContinuedGroup } from '../parts/event-log/continued/group.ts'
import { continuedLog } from '../parts/event-log/continued/log.ts'
import { continuedReader } from '../parts/event-log/continued/reader.ts'
import { openKafkaEventLog } from '../parts/event-log/kafka/event-log.ts'
import { openKafkaLogGroup } from '../parts/event-log/kafka/group.ts'
import { prepareTopics } from '../parts/event-log/kafka/prepare-topics.ts'
import { openKafkaLogReader } from '../parts/event-log/kafka/reader.ts'
import { asUnavailable } from '../parts/event-log/kafka/unreachable.ts'
import { openLmdbEventLog } from '../parts/event-log/lmdb/event-log.ts'
import { openLmdbLogGroup } from '../parts/event-log/lmdb/group.ts'
import { openLmdbLogReader } from '../parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../parts/event-log/lmdb/shared.ts'
import type { EventLog, LogOrigin, LogReader } from '../parts/event-log/port.ts'
import type { Installation } from '../parts/store/installation.ts'
import {
  assertEventLog,
  pinEventLog,
  pinPartitions,
} from '../parts/store/postgres/schema/installation.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import { watchLogClocks } from '../runtime/log-clocks.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Waiting } from '../runtime/wait-for-servers.ts'
import { patiently, unhurried } from '../runtime/wait-for-servers.ts'
import { millisecond, second } from '../std/instant.ts'
import type { EngineData, MainNeeds } from './parts.ts'
import type { EngineLog } from './wiring/ground.ts'

/**
 * How many partitions a new log of each kind gets, unless the store has pinned another number.
 * [machines#the-log]
 */
const partitionsAtFirst = { embedded: 4, kafka: 16 } as const

/** The event log in the main thread, and what the engine's half needs. */
export interface MainLog {
  readonly log: EventLog
  readonly reader: LogReader
  readonly shared: EngineData['sharedLog']
}

/** Opens the log that belongs to this store, or refuses another one. */
export async function openMainLog(needs: MainNeeds): Promise<MainLog> {
  const { config, store, life, logger, start } = needs
  const { kafka } = config
  const kind = kafka === null ? 'embedded' : 'kafka'
  const pinned = store.installation.partitions
  const wanted = pinned ?? partitionsAtFirst[kind]
  const isFirst = pinned === null
  const partitions =
    kafka === null ? wanted : await prepared(needs, { kafka, partitions: wanted, isFirst })
  const bare =
    kafka === null
      ? await openEmbedded(needs, partitions)
      : await openDistributed(needs, { kafka, partitions })
  const opened = goingOn(bare, store.installation.logOrigin)
  const { log, reader } = opened
  life.own('event log', () => log.close())
  life.own('event log reader', () => reader.close())
  await patiently({ what: 'the database', logger, ...start }, async () => {
    await pinEventLog(store.db, { kind, identity: log.identity })
    await pinPartitions(store.db, partitions)
  })
  return opened
}

const goingOn = (main: MainLog, origin: LogOrigin | null): MainLog =>
  origin === null
    ? main
    : {
        ...main,
        log: continuedLog(main.log, origin),
        reader: continuedReader(main.reader, origin),
      }

/** For processes that use no log: their settings must not contradict those of the others. */
export const assertLogSettings = ({ config, store, logger, start }: MainNeeds): Promise<void> =>
  patiently({ what: 'the database', logger, ...start }, () =>
    assertEventLog(store.db, config.kafka === null ? 'embedded' : 'kafka'),
  )

async function openEmbedded(
  { config, clock, logger }: MainNeeds,
  partitions: number,
): Promise<MainLog> {
  const shared = createSharedLog(partitions)
  const directory = directoryOf(config)
  const log = await openLmdbEventLog({
    directory,
    partitions,
    shared,
    budgetBytes: limits.logBytesMax,
    diskReserveBytes: limits.diskReserveBytes,
    clock,
    logger,
  })
  const reader = await openLmdbLogReader({ directory, shared })
  return { log, reader, shared }
}

interface Distributed {
  readonly kafka: NonNullable<Config['kafka']>
  readonly partitions: number
}

/** Sees to the topics; answers how many partitions the log has. */
function prepared(
  { logger, start }: MainNeeds,
  options: Distributed & { readonly isFirst: boolean },
): Promise<number> {
  // Each try is short, so that the start soon says what it waits for.
  const prepare = () => prepareTopics({ ...options, logger, waitMs: 2_000 })
  return awaitingKafka({ logger, ...start })(prepare)
}

async function openDistributed(
  { logger, clock, start, metrics, checks }: MainNeeds,
  { kafka, partitions }: Distributed,
): Promise<MainLog> {
  const options = { kafka, partitions, logger }
  const once = awaitingKafka({ logger, ...start })
  const clocks = watchLogClocks({
    logger,
    monotonic: () => performance.now() * millisecond,
    differs: (ahead) => metrics.clockAhead.set(ahead / second, { clock: 'log' }),
  })
  checks.register('log clock', clocks.check)
  const stamped = clocks.told
  const log = await once(() =>
    openKafkaEventLog({ ...options, budgetBytes: limits.inflightBytesMax, clock, stamped }),
  )
  const reader = await once(() => openKafkaLogReader(options))
  return { log, reader, shared: null }
}

/** Does what needs Kafka, as soon as Kafka is there. */
const awaitingKafka =
  (start: Omit<Waiting, 'what'>) =>
  <T>(work: () => Promise<T>): Promise<T> =>
    patiently({ what: 'Kafka', ...start }, () => asUnavailable(work))

export interface EngineLogNeeds {
  readonly data: EngineData
  readonly installation: Installation
  readonly logger: Logger
  readonly life: Lifecycle
}

export async function openEngineLog(options: EngineLogNeeds): Promise<EngineLog> {
  const { kafka } = options.data.config
  const bare = kafka === null ? await embeddedTwin(options) : await distributedTwin(options, kafka)
  options.life.own('event log reader', () => bare.reader.close())
  const { logOrigin: origin } = options.installation
  if (origin === null) return bare
  return {
    ...bare,
    reader: continuedReader(bare.reader, origin),
    openGroup: (handler) => openContinuedGroup({ open: bare.openGroup, origin, handler }),
  }
}

async function embeddedTwin({ data }: EngineLogNeeds): Promise<EngineLog> {
  const shared = data.sharedLog
  if (shared === null) throw new Error('The engine was started without the log of the main thread.')
  const directory = directoryOf(data.config)
  const reader = await openLmdbLogReader({ directory, shared })
  return {
    reader,
    openGroup: (handler) => openLmdbLogGroup({ directory, shared, handler }),
    excess: () => reader.excess(logKept),
    skew: 0,
  }
}

const logKept = {
  bytesMax: limits.logKeptBytesMax,
  diskFreeMin: 2 * limits.diskReserveBytes,
}

async function distributedTwin(
  { installation, logger }: EngineLogNeeds,
  kafka: Distributed['kafka'],
): Promise<EngineLog> {
  const partitions = installation.partitions ?? 1
  const options = { kafka, partitions, logger }
  const once = awaitingKafka({ logger, ...unhurried })
  return {
    reader: await once(() => openKafkaLogReader(options)),
    openGroup: (handler) => once(() => openKafkaLogGroup({ ...options, handler })),
    excess: null,
    skew: limits.clockSkewMax,
  }
}

export const directoryOf = ({ dataDir }: Config): string => join(dataDir, 'log')
