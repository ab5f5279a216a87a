import { expect, it } from 'vitest'
import { fuzzApi } from './fuzz-api.ts'

const program = process.env['TEST_SCHEMATHESIS'] ?? ''

// Longer: npm run fuzz:api
it.skipIf(program === '')(
  'every answer to what is made of the description is as described (TEST_SCHEMATHESIS)',
  { timeout: 600_000 },
  async () => {
    let said = ''
    const say = (text: string) => {
      said += text
    }
    const status = await fuzzApi({ program, seconds: null, seed: 1, examples: 5, say })
    expect(status, said).toBe(0)
  },
)
