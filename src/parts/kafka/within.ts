import { KafkaAway } from './errors.ts'

/**
 * kafkajs has deadlines of its own, but forgets them where a connection ends while it is being
 * made, or while a request is about to go out.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new KafkaAway(`Kafka was silent for ${ms} ms.`)), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
