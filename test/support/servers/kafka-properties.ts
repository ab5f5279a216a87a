/** One broker of a cluster, with what it must know of the others. */
export interface BrokerPlace {
  readonly id: number
  /** Where clients connect, where the other brokers do, and where the controllers do. */
  readonly ports: { readonly client: number; readonly internal: number; readonly control: number }
  readonly directory: string
}

/**
 * The `server.properties` of a broker that is a controller, too. Only clients use the advertised
 * port: a proxy there cuts off clients, and no broker from another.
 */
export function brokerProperties(
  { id, ports, directory }: BrokerPlace,
  cluster: {
    readonly places: readonly BrokerPlace[]
    readonly advertised: number
    /** Properties beyond ours, or instead of ours. */
    readonly config: Readonly<Record<string, string>>
  },
): string {
  const { places, advertised, config } = cluster
  const voters = places.map((place) => `${place.id}@127.0.0.1:${place.ports.control}`)
  return lines({
    'process.roles': 'broker,controller',
    'node.id': id,
    'controller.quorum.voters': voters.join(','),
    listeners: [
      `CLIENT://127.0.0.1:${ports.client}`,
      `INTERNAL://127.0.0.1:${ports.internal}`,
      `CONTROLLER://127.0.0.1:${ports.control}`,
    ].join(','),
    'advertised.listeners': [
      `CLIENT://127.0.0.1:${advertised}`,
      `INTERNAL://127.0.0.1:${ports.internal}`,
    ].join(','),
    'inter.broker.listener.name': 'INTERNAL',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': directory,
    ...replicated(places.length),
    ...impatient,
    ...small,
    ...config,
  })
}

/** No topic is made by itself: where a test forgets to make one, that is a mistake. */
const replicated = (brokers: number) => ({
  'auto.create.topics.enable': false,
  'default.replication.factor': brokers,
  'offsets.topic.replication.factor': brokers,
  'offsets.topic.num.partitions': 1,
  'transaction.state.log.replication.factor': brokers,
  'transaction.state.log.min.isr': Math.max(1, brokers - 1),
  'transaction.state.log.num.partitions': 1,
  'share.coordinator.state.topic.replication.factor': brokers,
  'share.coordinator.state.topic.min.isr': Math.max(1, brokers - 1),
  'share.coordinator.state.topic.num.partitions': 1,
})

/** A dead broker is noticed within seconds; by default that takes up to half a minute. */
const impatient = {
  'broker.heartbeat.interval.ms': 500,
  'broker.session.timeout.ms': 4_000,
  'controller.quorum.election.timeout.ms': 500,
  'controller.quorum.election.backoff.max.ms': 500,
  'controller.quorum.fetch.timeout.ms': 1_500,
  'controller.quorum.request.timeout.ms': 1_500,
  'controlled.shutdown.max.retries': 1,
  'group.initial.rebalance.delay.ms': 0,
  'group.min.session.timeout.ms': 1_000,
  'replica.fetch.wait.max.ms': 200,
  'replica.lag.time.max.ms': 3_000,
  'replica.socket.timeout.ms': 3_000,
}

/** Small buffers: the log cleaner alone would take 128 MB of the heap at once. */
const small = {
  'log.cleaner.dedupe.buffer.size': 4 * 1024 * 1024,
  'log.cleaner.threads': 1,
  'num.io.threads': 4,
  'num.network.threads': 2,
  'background.threads': 2,
}

const lines = (values: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
