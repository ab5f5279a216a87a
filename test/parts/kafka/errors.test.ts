import { expect, it } from 'vitest'
import { codeOf, errorOf, KafkaAway, reactionTo } from '../../../src/parts/kafka/errors.ts'

it('sends records again where a leader moved, and in halves where they are too many', () => {
  expect(reactionTo('append', 6)).toBe('again')
  expect(reactionTo('append', -1)).toBe('again')
  expect(reactionTo('append', 10)).toBe('halve')
  // TOPIC_AUTHORIZATION_FAILED
  expect(reactionTo('append', 29)).toBeUndefined()
})

it('asks a reader’s leader again for nine errors, and shows a gap for one', () => {
  const again = [...Array(100).keys()].filter((code) => reactionTo('read', code) === 'again')
  expect(again).toEqual([3, 5, 6, 7, 9, 56, 74, 75, 78])
  expect(reactionTo('read', 1)).toBe('gap')
})

it('joins a group in five ways', () => {
  const reactions = [27, 22, 25, 79, 16, 15, 14].map((code) => reactionTo('group', code))
  expect(reactions).toEqual([
    'rejoin',
    'rejoin-left-behind',
    'rejoin-as-new',
    'rejoin-named',
    'reconnect',
    'reconnect',
    'reconnect',
  ])
})

it('names an error as Kafka does, and one that we do not know by its number', () => {
  expect(errorOf(36)).toMatchObject({ number: 36, code: 'TOPIC_ALREADY_EXISTS' })
  expect(errorOf(4711).message).toMatch(/^ERROR_4711: /)
  expect(codeOf(errorOf(36))).toBe(36)
  expect(codeOf(new KafkaAway('away'))).toBe(0)
})
