import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { openEmbeddedDedupe } from '../../src/parts/dedupe/embedded/dedupe.ts'
import { openEmbeddedFilter } from '../../src/parts/dedupe/embedded/filter.ts'
import { hour } from '../../src/std/instant.ts'
import type { DedupeDriver } from '../contracts/dedupe.ts'
import { testDedupe } from '../contracts/dedupe.ts'

const drivers: readonly DedupeDriver[] = [
  {
    name: 'shared memory and LMDB',
    async place() {
      const directory = await mkdtemp(join(tmpdir(), 'dedupe-'))
      return { open, destroy: () => rm(directory, { recursive: true }) }

      async function open() {
        const { port1, port2 } = new MessageChannel()
        const filter = openEmbeddedFilter({ port: port2 })
        const options = { directory, partitions: 4, windowUs: 24 * hour, port: port1 }
        return { dedupe: await openEmbeddedDedupe(options), filter }
      }
    },
  },
]

for (const driver of drivers) testDedupe(driver)
