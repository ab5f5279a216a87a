import { describeWith } from '../support/servers/describe-with.ts'
import { distributedMissing, distributedParts } from './distributed-parts.ts'
import { standOn } from './parts.ts'

// The suites that run embedded, on real servers and two processes: the same semantics, the same
// tests.
standOn(distributedParts)

describeWith(distributedMissing, 'on Kafka, Redis and PostgreSQL', async () => {
  await import('./api.test.ts')
  await import('./billing.test.ts')
  await import('./bad-input.test.ts')
  await import('./plan-changes.test.ts')
  await import('./webhooks.test.ts')
  await import('./stream.test.ts')
  await import('./year.test.ts')
  await import('./crash.test.ts')
})
