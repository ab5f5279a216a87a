import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { placesOf } from './kafka.ts'
import {
  format,
  kafkaMissing,
  preparedFolder,
  preparedNames,
  propertiesFile,
  startBroker,
} from './kafka-program.ts'
import type { BrokerPlace } from './kafka-properties.ts'
import { brokerProperties } from './kafka-properties.ts'
import { scratch } from './scratch.ts'

/**
 * Prepares once, for these jars and this Java, what makes every later start take a third of the
 * time: a broker that starts, serves and ends leaves its classes and a formatted directory beside
 * the jars. Answers false where there is no Kafka, or nothing to do. Where it fails it leaves
 * nothing, and starts are as slow as without it.
 */
export async function prepareKafka(say: (text: string) => void): Promise<boolean> {
  if (kafkaMissing !== null) return false
  const folder = preparedFolder()
  if (existsSync(folder)) return false
  say("preparing Kafka's starts, once")
  try {
    const aside = mkdtempSync(join(dirname(folder), 'preparing-'))
    try {
      await leave(aside)
      renameSync(aside, folder)
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
    return true
  } catch (error) {
    say(`Kafka's starts stay slow: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

async function leave(aside: string): Promise<void> {
  const directory = scratch('kafka')
  try {
    const places = await placesOf(directory.path, 1)
    for (const place of places) await leaveOne(place, aside)
  } finally {
    await directory.remove()
  }
}

async function leaveOne(place: BrokerPlace, aside: string): Promise<void> {
  const cluster = { places: [place], advertised: place.ports.client, config: plain }
  mkdirSync(place.directory)
  writeFileSync(propertiesFile(place), brokerProperties(place, cluster))
  await format([place], null)
  cpSync(place.directory, join(aside, preparedNames.formatted), { recursive: true })
  const leaves = join(aside, preparedNames.classes)
  const broker = await startBroker(place, { heapMegabytes: 400, tuned: false, bent: null, leaves })
  try {
    await use(`127.0.0.1:${place.ports.client}`)
  } finally {
    await broker.end('SIGTERM', 120_000)
  }
  if (!existsSync(leaves)) throw new Error('this Java leaves no classes.')
}

const plain = {
  'listener.security.protocol.map': 'CLIENT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
}

/** Does what suites do, so that the classes for it are loaded, too. */
async function use(broker: string): Promise<void> {
  const client = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING })
  const [admin, producer] = [client.admin(), client.producer()]
  const consumer = client.consumer({ groupId: 'a' })
  try {
    await Promise.all([admin.connect(), producer.connect(), consumer.connect()])
    // To wait would be to ask a broker that has not heard of the topic yet, and to give up.
    await admin.createTopics({ topics: [{ topic: 'a' }], waitForLeaders: false })
    await producer.send({ topic: 'a', acks: -1, messages: [{ value: 'one' }] })
    await consumer.subscribe({ topic: 'a', fromBeginning: true })
    await new Promise<void>((done, failed) => {
      void consumer.run({ eachMessage: async () => done() }).catch(failed)
    })
  } finally {
    for (const one of [consumer, producer, admin]) await one.disconnect()
  }
}
