import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFrames } from '../../../src/parts/kafka/protocol/frames.ts'

const answerOf = (correlation: number, payload: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.writeInt32BE(payload.length + 4)
  head.writeInt32BE(correlation, 4)
  return Buffer.concat([head, payload])
}

it('gives back every answer, however the bytes were torn on their way', () => {
  const payloads = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 })
  fc.assert(
    fc.property(payloads, fc.array(fc.integer({ min: 1, max: 30 })), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map((payload, index) => answerOf(index, payload)))
      const frames = createFrames()
      const heard: [number, number[]][] = []
      const hear = (chunk: Buffer) => {
        for (const { correlation, payload } of frames.push(chunk)) {
          heard.push([correlation, [...payload]])
        }
      }
      let at = 0
      for (const length of cuts) {
        hear(bytes.subarray(at, at + length))
        at += length
      }
      hear(bytes.subarray(at))
      expect(heard).toEqual(sent.map((payload, index) => [index, [...payload]]))
    }),
  )
})

it('says so where something else than Kafka answers', () => {
  expect(() => createFrames().push(Buffer.from('HTTP/1.1 400 Bad Request'))).toThrow(/not Kafka/)
  expect(() => createFrames().push(Buffer.from([0, 0, 0, 3, 1, 2, 3]))).toThrow(/not Kafka/)
})
