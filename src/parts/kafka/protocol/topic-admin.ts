import { checkCode } from '../errors.ts'
import type { WireRequest } from './request.ts'
import type { WireReader } from './wire.ts'

export interface NewTopic {
  readonly name: string
  readonly partitions: number
  readonly replication: number
  readonly settings: Readonly<Record<string, string>>
}

/** Throws TOPIC_ALREADY_EXISTS where another process was faster. */
export function createTopicRequest(topic: NewTopic, timeoutMs: number): WireRequest<void> {
  return {
    name: 'CreateTopics',
    key: 19,
    version: 3,
    encode(writer) {
      writer.list([topic], ({ name, partitions, replication, settings }) => {
        writer.text(name).int32(partitions).int16(replication).int32(0)
        writer.list(Object.entries(settings), ([key, value]) => void writer.text(key).text(value))
      })
      writer.int32(timeoutMs).int8(0)
    },
    decode(reader) {
      reader.int32()
      reader.list(() => {
        reader.text()
        const code = reader.int16()
        reader.text()
        checkCode(code)
      })
    },
  }
}

/** Asks for the settings of a topic, its own and the brokers' defaults alike. */
export function topicSettingsRequest(
  topic: string,
): WireRequest<ReadonlyMap<string, string | null>> {
  return {
    name: 'DescribeConfigs',
    key: 32,
    version: 1,
    encode(writer) {
      writer.list([topic], (name) => void writer.int8(topicResource).text(name).int32(-1))
      writer.int8(0)
    },
    decode(reader) {
      reader.int32()
      const settings = reader.list(() => {
        checkCode(reader.int16())
        reader.text()
        reader.int8()
        reader.text()
        return reader.list(() => setting(reader))
      })
      return new Map(settings.flat())
    },
  }
}

const topicResource = 2

function setting(reader: WireReader): [string, string | null] {
  const [name, value] = [reader.text() ?? '', reader.text()]
  reader.raw(3)
  reader.list(() => {
    reader.text()
    reader.text()
    reader.int8()
  })
  return [name, value]
}
