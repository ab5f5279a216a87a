import { expect, it } from 'vitest'
import { openNamespaces } from '../../../src/edge/ingest/namespaces.ts'
import { quiet } from '../../support/logger.ts'

it('learns of partitions as they are taken, and keeps what it knows while the store is away', async () => {
  const answers: (readonly { partition: number; namespace: string }[] | Error)[] = [
    [],
    [{ partition: 0, namespace: 'a' }],
    new Error('away'),
  ]
  let asked = 0
  const source = {
    async checkpoints() {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      if (answer === undefined || answer instanceof Error) throw answer
      return answer
    },
  }
  const namespaces = openNamespaces(source, 2, quiet)
  expect(namespaces.of(0)).toBeNull()
  await expect.poll(() => asked).toBeGreaterThanOrEqual(3)
  expect([namespaces.of(0), namespaces.of(1)]).toEqual(['a', null])
  namespaces.close()
})
