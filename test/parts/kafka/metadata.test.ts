import { expect, it } from 'vitest'
import type { ClusterMetadata } from '../../../src/parts/kafka/protocol/metadata.ts'
import { withNewerLeaders } from '../../../src/parts/kafka/protocol/metadata.ts'

const heard = (id: string, leader: number, epoch: number): ClusterMetadata => ({
  clusterId: 'c',
  controller: 1,
  brokers: [],
  topics: [
    {
      name: 't',
      code: 0,
      id,
      partitions: [{ partition: 0, leader, epoch, replicas: [1, 2], inSync: [1, 2] }],
    },
  ],
})
const leaderOf = ({ topics }: ClusterMetadata) => topics[0]?.partitions[0]?.leader

it('a newer leader is not forgotten for an older one of the same topic', () => {
  expect(leaderOf(withNewerLeaders(heard('one', 1, 4), heard('one', 2, 5)))).toBe(2)
  expect(leaderOf(withNewerLeaders(heard('one', 1, 6), heard('one', 2, 5)))).toBe(1)
  expect(leaderOf(withNewerLeaders(heard('one', 1, 5), heard('one', -1, 5)))).toBe(1)
})

it('a topic that was made again begins anew', () => {
  expect(leaderOf(withNewerLeaders(heard('two', 1, 0), heard('one', 2, 5)))).toBe(1)
})
